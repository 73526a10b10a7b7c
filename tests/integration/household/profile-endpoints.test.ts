import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { profilePins, sessions } from "#db/schema/accounts.ts";
import {
  addProfile,
  anotherBrowserOf,
  newChild,
  ownersPin,
  switchTo,
} from "#tests/support/requests/household.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** Programs list the account's profiles and switch between them by the same rules as the page. */

type Listed = { id: string; name: string; current: boolean; asks: string | null };
const profilesOf = (visitor: Visitor) => dataOf<Listed[]>(visitor.request("/api/user/profiles"));
const choose = (visitor: Visitor, profile: string, proof: Record<string, string> = {}) =>
  visitor.request("/api/user/profiles/switch", { json: { profile, ...proof } });
const refusalOf = async (answer: Promise<Response>) => {
  const { status, error } = (await (await answer).json()) as { status: number; error: string };
  return { status, error };
};
const currentOf = async (visitor: Visitor) =>
  (await profilesOf(visitor)).filter(({ current }) => current).map(({ id }) => id);

const owner = await newMember();
const child = await addProfile(owner, "Mio", "g");
const grownUp = await addProfile(owner, "Ren");

describe("GET /api/user/profiles", () => {
  test("lists an account's only profile", async () => {
    const member = await newMember();
    expect(await profilesOf(member)).toEqual([
      {
        id: member.id,
        name: member.username,
        avatar: null,
        accent: expect.stringMatching(/^#/),
        owner: true,
        ceiling: null,
        current: true,
        asks: null,
      },
    ]);
  });

  test("says for which profile this session acts, and what it needs to switch to each", async () => {
    const fields = (list: Listed[]) => list.map(({ id, current, asks }) => [id, current, asks]);
    const browser = await anotherBrowserOf(owner);
    expect(fields(await profilesOf(browser))).toEqual([
      [owner.id, true, null],
      [child, false, null],
      [grownUp, false, null],
    ]);
    await switchTo(browser, child);
    expect(fields(await profilesOf(browser))).toEqual([
      [owner.id, false, "pin"],
      [child, true, null],
      [grownUp, false, "password"],
    ]);
  });

  test("marks no profile as current if a browser shared with a child was idle for hours", async () => {
    const browser = await anotherBrowserOf(owner);
    const asleep = { lastSeenAt: new Date(Date.now() - 5 * 3_600_000) };
    await db.update(sessions).set(asleep).where(eq(sessions.userId, owner.id));
    const list = await profilesOf(browser);
    expect(list.map(({ current, asks }) => [current, asks])).toEqual([
      [false, "pin"],
      [false, null],
      [false, "password"],
    ]);
  });

  test("refuses visitors and access tokens", async () => {
    const member = await newMember();
    const json = { name: "bot", scope: "write" };
    const { token } = await dataOf<{ token: string }>(member.request("/api/auth/tokens", { json }), 201);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await new Visitor().request("/api/user/profiles", { headers })).status).toBe(401);
    expect((await choose(new Visitor(), member.id)).status).toBe(401);
    const call = { json: { profile: member.id }, headers };
    expect((await new Visitor().request("/api/user/profiles/switch", call)).status).toBe(401);
  });
});

describe("POST /api/user/profiles/switch", () => {
  test("switches, gives the session another secret and marks the cookie of a child", async () => {
    const browser = await anotherBrowserOf(owner);
    const copy = new Visitor();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const answer = await choose(browser, child);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
    expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
    expect(await answer.json()).toMatchObject({
      data: { id: child, name: "Mio", owner: false, ceiling: "g", accent: "#16a34a" },
    });
    expect(await currentOf(browser)).toEqual([child]);
    expect((await copy.request("/api/user/profiles")).status).toBe(401);
    expect((await browser.request("/profiles/manage")).status).toBe(403);
  });

  test("requires the PIN or the password to leave a child's profile, as the page does", async () => {
    const browser = await anotherBrowserOf(owner);
    await switchTo(browser, child);
    expect(await refusalOf(choose(browser, owner.id))).toMatchObject({
      status: 403,
      error: "Type the PIN of this profile.",
    });
    expect(await refusalOf(choose(browser, grownUp))).toMatchObject({
      status: 403,
      error: "Type the password of the account.",
    });
    // A PIN opens only the profile that it belongs to.
    expect((await choose(browser, grownUp, { pin: ownersPin })).status).toBe(403);
    expect((await choose(browser, owner.id, { pin: "7391" })).status).toBe(400);
    expect((await choose(browser, grownUp, { password: "Wrong1!x" })).status).toBe(400);
    expect(await currentOf(browser)).toEqual([child]);
    expect((await choose(browser, grownUp, { password: owner.password })).status).toBe(200);
    await switchTo(browser, child);
    expect((await choose(browser, owner.id, { pin: ownersPin })).status).toBe(200);
    expect(await currentOf(browser)).toEqual([owner.id]);
  });

  test("counts wrong PINs together with the page's", async () => {
    const { owner: parent, child: kid } = await newChild("g");
    for (let at = 0; at < 4; at++)
      await kid.request("/profiles", { form: { profile: parent.id, pin: "0000", redirectTo: "/" } });
    expect(await refusalOf(choose(kid, parent.id, { pin: "0001" }))).toMatchObject({
      status: 403,
      error: expect.stringContaining("Too many wrong PINs"),
    });
    const [row] = await db.select().from(profilePins).where(eq(profilePins.userId, parent.id));
    expect(row?.failures).toBe(5);
    expect((await choose(kid, parent.id, { password: parent.password })).status).toBe(200);
  });

  test("does not find profiles of another account", async () => {
    const stranger = await newMember();
    for (const id of [owner.id, child, "00000000-0000-4000-8000-000000000000"])
      expect((await choose(stranger, id)).status).toBe(404);
    expect((await choose(stranger, "x")).status).toBe(400);
    expect(await currentOf(stranger)).toEqual([stranger.id]);
  });

  test("refuses requests from other sites", async () => {
    const browser = await anotherBrowserOf(owner);
    const answer = await browser.request("/api/user/profiles/switch", {
      json: { profile: child },
      headers: { Origin: "https://evil.example" },
    });
    expect(answer.status).toBe(403);
    expect(await currentOf(browser)).toEqual([owner.id]);
  });
});
