import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { chooseTitle, newChild } from "#tests/support/requests/household.ts";
import { wordsShown } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** A title page that this reader may not see says why, and offers only actions that this reader can take. */

type Reader = Pick<Visitor, "request">;

/** The page's own text and links, without the shell and the data for scripts. */
async function refusalOf(reader: Reader, path: string) {
  const response = await reader.request(path);
  const main = /<main.*?<\/main>/s.exec(await response.text())?.[0] ?? "";
  return {
    status: response.status,
    text: wordsShown(main.replaceAll("<!-- -->", "").replace(/<p[^>]*>Request .*?<\/p>/s, "")),
    links: [...main.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href),
  };
}

const pagesOf = (malId: number) => [`/anime/${malId}/title-${malId}`, `/watch/${malId}/1`];
const settings = "/settings#content";

describe("a child", () => {
  test("is told that a title is above its age, and who can allow it", async () => {
    const { owner, child } = await newChild("pg");
    const malId = await someTitle({ rating: "r", episodes: 1 });
    for (const path of pagesOf(malId)) {
      const { status, text, links } = await refusalOf(child, path);
      expect(status).toBe(403);
      expect(text).toContain("This title is above the age limit of this profile, or has no age rating.");
      expect(text).toContain(`Ask ${owner.username} to allow it.`);
      expect(text).not.toMatch(/parental control|settings|catalog|403/i);
      expect(links).toContain(`/profiles?redirectTo=${encodeURIComponent(`/anime/${malId}`)}`);
      expect(text).not.toContain(`Title ${malId}`);
      expect(links).not.toContain(settings);
    }
    await chooseTitle(owner, malId, "allowed");
    expect((await child.request(pagesOf(malId)[0] ?? "")).status).toBe(200);
  });

  test("is told that the household chose to block a title", async () => {
    const { owner, child } = await newChild("pg");
    const malId = await someTitle({ rating: "g", episodes: 1 });
    await chooseTitle(owner, malId, "blocked");
    for (const path of pagesOf(malId)) {
      const { status, text } = await refusalOf(child, path);
      expect(status).toBe(403);
      expect(text).toContain(`Only ${owner.username} can change that.`);
    }
  });

  test("with only chosen titles reads so, on a title's page and on an empty home page", async () => {
    const { owner, child } = await newChild("chosen");
    const malId = await someTitle({ rating: "g", episodes: 1 });
    const { text } = await refusalOf(child, pagesOf(malId)[0] ?? "");
    expect(text).toContain(`This profile shows only what ${owner.username} has allowed.`);
    const home = await refusalOf(child, "/");
    expect(home.status).toBe(200);
    expect(home.text).toContain(
      `${owner.username} chooses what this profile shows, and has allowed nothing yet.`,
    );
    expect(home.text).not.toMatch(/catalog|operator|administration/i);
    const browse = await refusalOf(child, "/browse");
    expect(browse.text).toContain(`${owner.username} chooses what this profile shows`);
    expect(browse.text).not.toMatch(/matches all filters|clear all/i);
    await chooseTitle(owner, malId, "allowed");
    expect((await refusalOf(child, "/")).text).not.toContain("allowed nothing yet");
  });

  test("gets from a page of grown-ups to their profiles, and back to the page", async () => {
    const { child } = await newChild("pg");
    for (const path of ["/profiles/manage", "/settings/import", "/profile/edit", "/admin"]) {
      const { status, text, links } = await refusalOf(child, path);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toMatch(/switch to/i);
      expect(text).not.toMatch(/403|role/);
      expect(links).toContain(`/profiles?redirectTo=${encodeURIComponent(path)}`);
    }
  });

  test("is not told of parental control where the household allows a title for adults", async () => {
    const { owner, child } = await newChild("r");
    const malId = await someTitle({ rating: "rx" });
    await db.update(users).set({ parentalControl: false }).where(eq(users.id, owner.id));
    await chooseTitle(owner, malId, "allowed");
    const { status, text, links } = await refusalOf(child, pagesOf(malId)[0] ?? "");
    expect(status).toBe(403);
    expect(text).toContain("This title is for adults.");
    expect(text).not.toMatch(/parental control|settings/i);
    expect(links).not.toContain(settings);
  });
});

describe("parental control", () => {
  test("is named with its switch to a member, who can turn it off", async () => {
    const malId = await someTitle({ rating: "rx", episodes: 1 });
    const member = await newMember();
    for (const path of pagesOf(malId)) {
      const { status, text, links } = await refusalOf(member, path);
      expect(status).toBe(403);
      expect(text).toContain("parental control is on in your settings");
      expect(links).toContain(settings);
    }
    expect((await member.request("/settings")).status).toBe(200);
  });

  test("of a visitor, who has no settings, leads to the sign-in", async () => {
    const malId = await someTitle({ rating: "rx", episodes: 1 });
    for (const path of pagesOf(malId)) {
      const { status, links } = await refusalOf(new Visitor(), path);
      expect(status).toBe(403);
      expect(links).not.toContain(settings);
      expect(links).toContain(`/signin?redirectTo=${encodeURIComponent(`/anime/${malId}`)}`);
    }
  });

  test("of a minor names the birthday, and no setting", async () => {
    const [minor, malId] = [await newMember(), await someTitle({ rating: "rx" })];
    const birthday = `${new Date().getFullYear() - 15}-01-01`;
    await db.update(users).set({ birthday, parentalControl: false }).where(eq(users.id, minor.id));
    const { text, links } = await refusalOf(minor, pagesOf(malId)[0] ?? "");
    expect(text).toContain("by your birthday you are under 18");
    expect(links).not.toContain(settings);
  });
});

test("a title hidden by operators looks like one that never existed", async () => {
  const malId = await someTitle({ episodes: 1, hiddenAt: new Date() });
  const member = await newMember();
  for (const [page, unknown] of [
    [pagesOf(malId)[0] ?? "", "/anime/899999999"],
    [pagesOf(malId)[1] ?? "", "/watch/899999999/1"],
  ] as const) {
    const hidden = await refusalOf(member, page);
    expect(hidden).toEqual(await refusalOf(member, unknown));
    expect(hidden.status).toBe(404);
    expect(hidden.text).toContain("No such title here");
  }
});

test("an episode that a title does not have links to its existing episodes", async () => {
  const malId = await someTitle({ episodes: 3 });
  const { status, links } = await refusalOf(await newMember(), `/watch/${malId}/9`);
  expect(status).toBe(404);
  expect(links).toContain(`/anime/${malId}/title-${malId}`);
});

test("an empty home page links visitors and members only to pages that they can open", async () => {
  const hiddenBefore = await db.update(titles).set({ hiddenAt: new Date() }).returning({ id: titles.malId });
  expect(hiddenBefore.length).toBeGreaterThan(0);
  const { text, links } = await refusalOf(await newMember(), "/");
  expect(text).toContain("This site has no titles yet.");
  expect(links.filter((href) => href?.startsWith("/admin"))).toEqual([]);
});
