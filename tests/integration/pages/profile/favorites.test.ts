import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newChild } from "#tests/support/requests/household.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The heart of a title, pressed as a browser without scripts presses it, and the favorites of the profile. */

type Asks = Pick<Visitor, "request">;

const pathOf = (malId: number) => `/anime/${malId}/title-${malId}`;
const htmlOf = async (visitor: Asks, path: string) => (await visitor.request(path)).text();
const heartIn = (html: string) =>
  /<input type="hidden" name="intent" value="(favorite|unfavorite)"\/>.*?<button[^>]*title-heart[^>]*>/s
    .exec(html)
    ?.flatMap((part) => /aria-pressed="(\w+)"/.exec(part)?.[1] ?? part);

async function press(visitor: Asks, malId: number, intent: "favorite" | "unfavorite") {
  const response = await visitor.request(pathOf(malId), { form: { intent, mal_id: `${malId}` } });
  return { status: response.status, html: await response.text() };
}
const favoritesOf = async (member: Asks) =>
  (await dataOf<{ favorite_animes: number[] }>(member.request("/api/user/profile"))).favorite_animes;

test("the heart adds a title behind the favorites, and takes it out again", async () => {
  const [first, second] = [await someTitle(), await someTitle()];
  const member = await newMember();
  expect(heartIn(await htmlOf(member, pathOf(first)))).toEqual(["false", "favorite"]);
  for (const malId of [first, second, first]) {
    const { status, html } = await press(member, malId, "favorite");
    expect([status, heartIn(html)]).toEqual([200, ["true", "unfavorite"]]);
    expect(html).toContain(`Added Title ${malId} to your favorites`);
  }
  expect(await favoritesOf(member)).toEqual([first, second]);
  const { html } = await press(member, first, "unfavorite");
  expect(html).toContain("Removed from your favorites");
  expect(heartIn(html)).toEqual(["false", "favorite"]);
  expect(await favoritesOf(member)).toEqual([second]);
});

test("hearts that several devices press at once are all kept", async () => {
  const member = await newMember();
  const ids = await Promise.all(Array.from({ length: 4 }, () => someTitle()));
  const answers = await Promise.all(ids.map((malId) => press(member, malId, "favorite")));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect((await favoritesOf(member)).toSorted()).toEqual(ids.toSorted());
});

test("a visitor sees no heart, and is asked to sign in when one is sent", async () => {
  const malId = await someTitle();
  const visitor = new Visitor();
  expect(await htmlOf(visitor, pathOf(malId))).not.toContain("title-heart");
  const { status } = await press(visitor, malId, "favorite");
  expect(status).toBe(302);
});

test("a profile with 10,000 favorites says that no more fit, keeps them, and gives room again", async () => {
  const [shown, added] = [await someTitle(), await someTitle()];
  const member = await newMember();
  const full = sql`array_prepend(${shown}::int, array(select generate_series(1, 9999)))`;
  await db.update(users).set({ favoriteAnimes: full }).where(eq(users.id, member.id));
  const refused = await press(member, added, "favorite");
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("You have 10,000 favorites, and no more fit. Remove one first.");
  expect(heartIn(refused.html)).toEqual(["false", "favorite"]);
  expect((await press(member, shown, "favorite")).status).toBe(200);
  await press(member, shown, "unfavorite");
  expect((await press(member, added, "favorite")).status).toBe(200);
  const favorites = await favoritesOf(member);
  expect([favorites.length, favorites.at(-1)]).toEqual([10_000, added]);
});

test("a title that the member may not see does not become a favorite", async () => {
  const [adult, open] = [await someTitle({ rating: "rx" }), await someTitle({ rating: "g" })];
  const { child } = await newChild("g");
  const form = { intent: "favorite", mal_id: `${adult}` };
  for (const visitor of [child, await newMember()]) {
    const response = await visitor.request(pathOf(open), { form });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("This catalog has no such title");
  }
  expect((await press(child, open, "favorite")).status).toBe(200);
  const [row] = await db.select().from(users).where(eq(users.id, child.id));
  expect(row?.favoriteAnimes).toEqual([open]);
});
