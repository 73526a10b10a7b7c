import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { addTitles, someTitle } from "#tests/support/data/database-rows.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { newChild } from "#tests/support/requests/household.ts";
import { formOf, untouchedFields } from "#tests/support/requests/page-form.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The heart of a title, pressed as a browser without scripts presses it, and the favorites of the profile. */

type Asks = Pick<Visitor, "request">;

const pathOf = (malId: number) => `/anime/${malId}/title-${malId}`;
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

test("the heart adds a title after the other favorites, and removes it again", async () => {
  const [first, second] = [await someTitle(), await someTitle()];
  const member = await newMember();
  expect(heartIn(await htmlOf(member.request(pathOf(first))))).toEqual(["false", "favorite"]);
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

test("hearts pressed on several devices at once are all kept", async () => {
  const member = await newMember();
  // The site renders three pages of an account at a time. A fourth one would wait, and be refused on a slow machine.
  const ids = await Promise.all(Array.from({ length: 3 }, () => someTitle()));
  const answers = await Promise.all(ids.map((malId) => press(member, malId, "favorite")));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect((await favoritesOf(member)).toSorted()).toEqual(ids.toSorted());
});

test("a visitor sees no heart, and is asked to sign in when one is sent", async () => {
  const malId = await someTitle();
  const visitor = new Visitor();
  expect(await htmlOf(visitor.request(pathOf(malId)))).not.toContain("title-heart");
  const { status } = await press(visitor, malId, "favorite");
  expect(status).toBe(302);
});

test("a profile with 10,000 favorites accepts no more, keeps them, and has room again after a removal", async () => {
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

async function memberWith(ids: readonly number[]) {
  const member = await newMember();
  await db
    .update(users)
    .set({ favoriteAnimes: [...ids] })
    .where(eq(users.id, member.id));
  return member;
}

async function send(member: Visitor, more: Record<string, string>, path = "/profile/edit") {
  const fields = untouchedFields(await formOf(member, path, "find"));
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  return member.request(path, { method: "POST", body: fields });
}

test("a heart pressed while a form of the profile is being saved is kept, and so is the form", async () => {
  const [own, ticked, pressed] = [await someTitle(), await someTitle(), await someTitle()];
  const member = await memberWith([own]);
  // The row stays locked until the form waits for it, as if the heart had come a moment earlier.
  const saved = await withTransaction(async (transaction) => {
    await transaction.execute(sql`update ${users} set favorite_animes = array_append(favorite_animes, ${pressed}::int)
      where id = ${member.id}::uuid`);
    const answer = send(member, { [`favorite:${ticked}`]: "on" });
    await untilQueriesWait();
    return { answer };
  });
  expect((await saved.answer).status).toBe(302);
  expect(await favoritesOf(member)).toEqual([own, pressed, ticked]);
});

test("pages show fifty favorites at once, and the form keeps those of its other pages", async () => {
  const ids = Array.from({ length: 120 }, (_, at) => 22_000_000 + at);
  await addTitles(ids);
  const hidden = await someTitle({ rating: "rx" });
  const all = [hidden, ...ids];
  const member = await memberWith(all);
  const shownIn = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, id]) => Number(id));
  const cardsOf = async (path: string) =>
    shownIn(await htmlOf(member.request(path)), /<a class="card" href="[^"]*?\/anime\/(\d+)/g);
  expect(await cardsOf("/profile")).toEqual(ids.slice(0, 50));
  expect(await htmlOf(member.request("/profile"))).toContain("120 titles");
  expect(await cardsOf("/profile?favorites=3")).toEqual(ids.slice(100));
  expect(await cardsOf("/profile?favorites=9")).toEqual(ids.slice(100));
  const picksOf = async (path: string) =>
    shownIn(await htmlOf(member.request(path)), /type="checkbox"[^>]* name="favorite:(\d+)"/g);
  expect(await picksOf("/signup/tastes")).toEqual(expect.arrayContaining(ids.slice(0, 50)));
  expect(await picksOf("/profile/edit")).toEqual(ids.slice(0, 50));
  const turn = async (fields: Record<string, string>) => (await send(member, fields)).headers.get("Location");
  expect(await turn({ favorites: "2" })).toBe("/profile/edit?saved=1&favorites=2#favorites");
  // The first page then shows one that it did not show before.
  expect(await turn({ [`favorite:${ids[0]}`]: "0", favorites: "2" })).toBe("/profile/edit?saved=1#favorites");
  const left = all.filter((malId) => malId !== ids[0]);
  expect(await favoritesOf(member)).toEqual(left);
  const second = "/profile/edit?favorites=2";
  expect(await picksOf(second)).toEqual(ids.slice(51, 101));
  const search = await send(member, { find: "1", q: "Title" }, second);
  expect(search.headers.get("Location")).toBe("/profile/edit?q=Title&favorites=2#favorites");
  const later = await send(member, { move: `later:${ids[100]}` }, second);
  expect(later.headers.get("Location")).toBe("/profile/edit?saved=1&favorites=3#favorites");
  await send(member, { move: `earlier:${ids[100]}` }, second);
  const moved = await send(member, { move: `first:${ids[51]}` }, second);
  expect(moved.headers.get("Location")).toBe("/profile/edit?saved=1#favorites");
  expect(await favoritesOf(member)).toEqual([ids[51], ...left.filter((malId) => malId !== ids[51])]);
});

test("the form takes as many favorites as fit, and says when there are more", async () => {
  const added = await someTitle();
  const member = await memberWith(Array.from({ length: 10_000 }, (_, index) => index + 1));
  const answer = await send(member, { [`favorite:${added}`]: "on" });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("You have 10,000 favorites, and no more fit. Remove one first.");
  expect(await favoritesOf(member)).not.toContain(added);
});

test("the buttons of the form move a favorite past the next one that is shown, and keep what is ticked", async () => {
  const [first, second, third] = [await someTitle(), await someTitle(), await someTitle()];
  const hidden = await someTitle({ rating: "rx" });
  const member = await memberWith([first, hidden, second, third]);
  const html = await htmlOf(member.request("/profile/edit"));
  expect(html).toContain(`aria-label="Move Title ${second} earlier"`);
  const move = async (malId: number, to: "first" | "earlier" | "later") => {
    const answer = await send(member, { move: `${to}:${malId}` });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/profile/edit?saved=1#favorites"]);
    return favoritesOf(member);
  };
  expect(await move(second, "earlier")).toEqual([second, first, hidden, third]);
  expect(await move(first, "later")).toEqual([second, hidden, third, first]);
  expect(html).toContain(`aria-label="Move Title ${third} to the front"`);
  expect(await move(first, "first")).toEqual([first, second, hidden, third]);
  expect(await move(first, "later")).toEqual([second, first, hidden, third]);
  expect(await move(first, "later")).toEqual([second, hidden, third, first]);
  // At either end, and for a title that is no longer a favorite, nothing moves.
  for (const [malId, to] of [
    [second, "first"],
    [second, "earlier"],
    [first, "later"],
    [999_999, "later"],
  ] as const)
    expect(await move(malId, to)).toEqual([second, hidden, third, first]);
  await send(member, { move: `later:${second}`, [`favorite:${third}`]: "0" });
  expect(await favoritesOf(member)).toEqual([hidden, first, second]);
  expect((await send(member, { move: "away:1" })).status).toBe(400);
  const page = await htmlOf(member.request("/profile"));
  expect(page.indexOf(`Title ${first}`)).toBeLessThan(page.indexOf(`Title ${second}`));
});
