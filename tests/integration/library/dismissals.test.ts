import { beforeAll, expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** Members dismiss titles, with the same forms that browsers without scripts send. */

beforeAll(async () => {
  const title = { kind: "title", type: "TV", aired_from: "2020-01-05T00:00:00Z", episodes: 12 };
  await importTitles(
    [1, 2, 3, 4].map((mal_id) => ({ ...title, mal_id, title: `Zqx Lantern ${mal_id}`, score: mal_id })),
  );
});

const dismiss = (member: Member | Visitor, place: string, malId = 4) =>
  member.request("/?index", { form: { intent: "dismiss", mal_id: `${malId}`, place } });
/** The value of the field that Undo sends. */
const undoIn = (html: string) =>
  (/name="entries" value="([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&quot;", '"');
const home = (member: Member) => htmlOf(member.request("/"));

async function startWatching(member: Member) {
  const report = { mal_id: 4, ep: 1, position: 120, duration: 1400 };
  await dataOf(member.request("/api/user/progress", { method: "PUT", json: report }));
}

test("a card removed from Continue offers Undo, and the list, the resume point and the history stay", async () => {
  const member = await newMember();
  await startWatching(member);
  expect(await home(member)).toContain("Remove Zqx Lantern 4 from Next on your list");
  const answer = await htmlOf(dismiss(member, "continue"));
  expect(answer).toContain("Removed Zqx Lantern 4 from your home page");
  // The page that answers the form is rendered anew, not taken from the cache.
  expect(answer).not.toContain("Remove Zqx Lantern 4 from Next on your list");
  expect(await home(member)).not.toContain("Continue watching");
  const entries = undoIn(answer);
  expect(JSON.parse(entries)).toEqual([{ malId: 4, place: "continue" }]);
  expect(await htmlOf(member.request("/?index", { form: { intent: "restore", entries } }))).toContain(
    "The title is shown again",
  );
  expect(await home(member)).toContain("Remove Zqx Lantern 4 from Next on your list");
});

test("a dismissed title leaves the member's front page, and no other member's", async () => {
  const [member, other] = [await newMember(), await newMember()];
  const link = "/anime/4/zqx-lantern-4";
  expect(await home(member)).toContain(link);
  expect(await htmlOf(dismiss(member, "suggestions"))).toContain("Zqx Lantern 4 is not suggested any more");
  expect(await home(member)).not.toContain(link);
  expect(await home(other)).toContain(link);
  // The title can still be found.
  expect(await htmlOf(member.request("/browse?q=zqx"))).toContain(link);
  const form = { intent: "undismiss", mal_id: "4", place: "suggestions" };
  expect((await member.request("/anime/4/zqx-lantern-4", { form })).status).toBe(200);
  expect(await home(member)).toContain(link);
});

test("a title's page that answers a form shows the changed entry", async () => {
  const member = await newMember();
  const path = "/anime/4/zqx-lantern-4";
  expect(await htmlOf(member.request(path))).toContain("Add to list");
  const answer = await htmlOf(
    member.request(path, { form: { intent: "save", mal_id: "4", type: "Completed" } }),
  );
  expect(answer).not.toContain("Add to list");
});

test("an unknown title and an unknown row are refused, and a visitor has to sign in", async () => {
  const member = await newMember();
  expect((await dismiss(member, "suggestions", 999)).status).toBe(404);
  expect((await dismiss(member, "everywhere")).status).toBe(400);
  expect((await dismiss(new Visitor(), "suggestions")).status).not.toBe(200);
});

test("a member's dismissals are part of the account's file", async () => {
  const [member, other] = [await newMember(), await newMember()];
  await dismiss(member, "suggestions");
  await dismiss(member, "continue", 3);
  const file = await (await member.request("/api/user/export")).json();
  expect(file.dismissals).toEqual([
    { mal_id: 3, place: "continue", dismissed_at: expect.any(String) },
    { mal_id: 4, place: "suggestions", dismissed_at: expect.any(String) },
  ]);
  const odd = [{ mal_id: 2, place: "elsewhere", dismissed_at: "2026-01-01T00:00:00Z" }, { mal_id: "x" }];
  file.dismissals.push(...odd);
  await dataOf(other.request("/api/user/import", { json: file }));
  const second = await (await other.request("/api/user/export")).json();
  expect(second.dismissals).toEqual(file.dismissals.slice(0, 2));
});
