import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { episodes } from "#db/schema/episodes.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The forms on the page of a title that tick episodes, posted as a browser without scripts posts them. */

const pathOf = (malId: number) => `/anime/${malId}/title-${malId}`;
const pageOf = async (visitor: Visitor, malId: number) => (await visitor.request(pathOf(malId))).text();

/** The pressed state of each tick button, by episode, with the field that the button sends. */
const buttonsIn = (html: string) =>
  [...html.matchAll(/<button class="episode-tick"[^>]*>/g)].map(([button]) => {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(button)?.[1];
    return `${attribute("name")} ${attribute("value")} ${attribute("aria-pressed")}`;
  });

async function post(member: Member, malId: number, form: Record<string, string>) {
  const response = await member.request(pathOf(malId), {
    form: { intent: "save", mal_id: `${malId}`, ...form },
  });
  expect(response.status).toBe(200);
  return response.text();
}

const progressOf = async (member: Member) =>
  (await dataOf<{ type: string; progress: number }[]>(member.request("/api/user/watchList"))).map(
    ({ type, progress }) => [type, progress],
  );

test("a tick on a title without a film puts it on the list, and a number ticks all episodes up to it", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 4 })];
  expect(buttonsIn(await pageOf(member, malId))).toEqual([
    "tick 1 false",
    "tick 2 false",
    "tick 3 false",
    "tick 4 false",
  ]);
  const ticked = await post(member, malId, { tick: "3" });
  expect(ticked).toContain(`Ticked episode 3 of Title ${malId}`);
  expect(buttonsIn(ticked)).toEqual(["tick 1 false", "tick 2 false", "untick 3 true", "tick 4 false"]);
  expect(await progressOf(member)).toEqual([["Watching", 3]]);
  await post(member, malId, { tick: "1" });
  expect(buttonsIn(await post(member, malId, { untick: "3" }))).toEqual([
    "untick 1 true",
    "tick 2 false",
    "tick 3 false",
    "tick 4 false",
  ]);
  expect(await progressOf(member)).toEqual([["Watching", 1]]);
  const all = await post(member, malId, { progress: "4" });
  expect(buttonsIn(all).every((button) => button.endsWith("true"))).toBe(true);
  expect(await progressOf(member)).toEqual([["Watching", 4]]);
});

test("a named episode has its tick beside it, and a visitor is shown no form", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 2 })];
  await db.insert(episodes).values({ malId, number: 1, title: "The first one" });
  const html = await pageOf(member, malId);
  expect(html).toContain("The first one");
  expect(html).toContain("I have seen all episodes up to");
  expect(buttonsIn(html)).toEqual(["tick 1 false", "tick 2 false"]);
  const toVisitor = await pageOf(new Visitor(), malId);
  expect(toVisitor).toContain("The first one");
  expect([buttonsIn(toVisitor), toVisitor.includes("all episodes up to")]).toEqual([[], false]);
});

test("each row beyond the next episode has a button that ticks all episodes up to it", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 5 })];
  await db
    .insert(episodes)
    .values([1, 2, 3, 4, 5].map((number) => ({ malId, number, title: `The ${number}. one` })));
  const upTo = (html: string) =>
    [...html.matchAll(/<button class="episode-up-to"[^>]*>/g)].map(([button]) => {
      expect(button).toContain('name="progress"');
      return Number(/ value="(\d+)"/.exec(button)?.[1]);
    });
  expect(upTo(await pageOf(member, malId))).toEqual([2, 3, 4, 5]);
  const seen = await post(member, malId, { progress: "3" });
  expect(buttonsIn(seen)).toEqual([
    "untick 1 true",
    "untick 2 true",
    "untick 3 true",
    "tick 4 false",
    "tick 5 false",
  ]);
  expect(upTo(seen)).toEqual([5]);
  expect(upTo(await pageOf(new Visitor(), malId))).toEqual([]);
});

test("a title with its last episode watched offers Completed, until the member accepts it or drops the title", async () => {
  const [member, malId] = [await newMember(), await someTitle({ episodes: 4 })];
  const offers = async () => (await pageOf(member, malId)).includes("Mark as Completed");
  await post(member, malId, { progress: "3" });
  expect(await offers()).toBe(false);
  await post(member, malId, { progress: "4" });
  expect(await offers()).toBe(true);
  await post(member, malId, { type: "dropped" });
  expect(await offers()).toBe(false);
  await post(member, malId, { type: "Watching" });
  expect(await offers()).toBe(true);
  await post(member, malId, { type: "Completed" });
  expect(await offers()).toBe(false);
});
