import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { getHome, listSimilarTitles } from "#app/domain/discovery/discovery.server.ts";
import { updateProfile } from "#app/domain/profile/profile.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { franchises, franchiseTitles } from "#db/schema/franchises.ts";
import { householdTitles, watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { chooseTitle, newChild } from "#tests/support/requests/household.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, setParentalControl, Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

/** What pages and endpoints make of the order of a franchise, for each viewer of the titles that this viewer sees. */

const record = (malId: number, year: number, fields: object = {}) => ({
  kind: "title",
  mal_id: malId,
  title: `Beacon ${malId}`,
  type: "TV",
  episodes: 12,
  duration: "25 min per ep",
  rating: "pg",
  genres: ["Mystery"],
  aired_from: `${year}-04-01T00:00:00+00:00`,
  status: "Finished Airing",
  ...fields,
});
const relation = (from: number, to: number, kind: string) => ({ kind: "relation", from, to, relation: kind });

/** Five parts, of which the fourth is mature, a summary of the first part, and a special after the second. */
const beacon = [
  record(1, 2001),
  record(2, 2003),
  record(3, 2005),
  record(4, 2007, { rating: "rx" }),
  record(5, 2009),
  record(6, 2008, { type: "Movie", episodes: 1, duration: "1 hr 30 min" }),
  record(7, 2004, { type: "Special", episodes: 1 }),
  relation(1, 2, "sequel"),
  relation(2, 3, "sequel"),
  relation(3, 4, "sequel"),
  relation(4, 5, "sequel"),
  relation(1, 6, "summary"),
  relation(2, 7, "side_story"),
];

beforeEach(async () => {
  await db.delete(householdTitles);
  for (const table of [watchList, watchHistory, watchProgress]) await db.delete(table);
  await db.delete(titles);
  await db.delete(franchises);
  await importTitles(beacon);
  // An import takes effect a moment later, an edit at once.
  await changeCatalog([], () => Promise.resolve());
});

/** A movie, 71, that tells what the second part tells, and leads to the third as well. */
async function addMovieOfSecondPart() {
  await importTitles([
    record(71, 2002, { type: "Movie", episodes: 1 }),
    relation(1, 71, "sequel"),
    relation(71, 3, "sequel"),
    relation(71, 2, "alternative_version"),
  ]);
  await changeCatalog([], () => Promise.resolve());
}

const numberOf = async (malId: number) =>
  (await db.select().from(franchiseTitles).where(eq(franchiseTitles.malId, malId)))[0]?.franchiseId ?? 0;
const save = (member: Member, animeId: number, entry: object) =>
  dataOf(member.request("/api/user/watchList", { json: { animeId, ...entry } }));
async function read(visitor: Visitor, path: string) {
  const answer = await visitor.request(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return htmlOf(answer);
}
const franchisePath = async (malId: number, name = "beacon-1") =>
  `/franchise/${await numberOf(malId)}/${name}`;
const partsIn = (html: string) =>
  [...html.matchAll(/<span class="part-name"[^>]*>Beacon (\d+)</g)].map(([, malId]) => Number(malId));
const lineIn = (html: string) => html.slice(html.indexOf(">The story<")).split("</section>")[0] ?? "";
const cardsIn = (html: string) =>
  [...html.matchAll(/<span class="card-name"[^>]*>Beacon (\d+)</g)].map(([, malId]) => Number(malId));

describe("the page of a franchise", () => {
  test("shows both orders, the length without what may be skipped, and why a title may be", async () => {
    const path = await franchisePath(1);
    const html = await read(new Visitor(), path);
    expect(partsIn(html)).toEqual([1, 6, 2, 7, 3, 5]);
    expect(html).toContain("4 parts and 2 more titles");
    expect(html).toContain("48 episodes, 20 h ");
    expect(html).toContain("without what may be skipped");
    expect(html).toContain("Summary of Beacon 1. You may skip it.");
    expect(html).toContain("Special. You may skip it.");
    expect(partsIn(await read(new Visitor(), `${path}?order=released`))).toEqual([1, 2, 7, 3, 6, 5]);
  });

  test("says which title tells a part too, and shows small only what may be skipped", async () => {
    await addMovieOfSecondPart();
    const html = await read(new Visitor(), await franchisePath(1));
    const linkOf = (malId: number) =>
      new RegExp(`<a class="part"[^>]*href="/anime/${malId}/[^>]*>.*?</a>`).exec(html)?.[0] ?? "";
    expect(linkOf(2)).toContain("Beacon 71 tells this part too. One of them is enough.");
    expect([1, 71, 2, 3, 5, 6, 7].filter((malId) => linkOf(malId).includes("data-skip"))).toEqual([6, 7]);
  });

  test("leads to the right name, and from a number that has become part of another", async () => {
    const [number, location] = [await numberOf(1), (answer: Response) => answer.headers.get("Location")];
    const wrong = await new Visitor().request(`/franchise/${number}/another-name?order=released`);
    expect([wrong.status, location(wrong)]).toEqual([301, `/franchise/${number}/beacon-1?order=released`]);
    await importTitles([record(11, 2011), record(12, 2013), relation(11, 12, "sequel")]);
    const joined = await numberOf(11);
    await importTitles([relation(5, 11, "spin_off")]);
    await changeCatalog([], () => Promise.resolve());
    const page = await new Visitor().request(`/franchise/${joined}/beacon-11`);
    expect([page.status, location(page)]).toEqual([301, `/franchise/${number}/beacon-1`]);
    const answer = await request(`/api/animes/franchise?number=${joined}&parental_control=true`);
    expect([answer.status, location(answer)]).toEqual([
      301,
      `/api/animes/franchise?number=${number}&parental_control=true`,
    ]);
    expect(await (await request(location(answer) ?? "")).json()).toMatchObject({ data: { id: number } });
  });

  test("bears the name of the title that names it, also beside another title of that name", async () => {
    await importTitles([
      record(1, 2001, { title_english: "Lighthouse" }),
      record(9, 2015, { title: "Beacon 1", title_english: "Lighthouse Origins" }),
      relation(9, 1, "sequel"),
    ]);
    await changeCatalog([], () => Promise.resolve());
    const member = await newMember();
    await dataOf(member.request("/api/saveUserPreferences", { json: { titleLanguage: "english" } }));
    expect(await read(member, await franchisePath(1))).toMatch(/<h1[^>]*>Lighthouse</);
  });

  test("names the titles that connect it with others, and the franchises that these lead to", async () => {
    await importTitles([
      ...[11, 12, 13].map((malId) => record(malId, malId + 2000)),
      record(15, 2015),
      ...[11, 12].map((malId) => relation(malId, malId + 1, "sequel")),
      relation(3, 13, "alternative_setting"),
      relation(3, 15, "alternative_setting"),
      ...[15, 16].map((malId) => relation(malId, malId + 1, "sequel")),
      ...[16, 17].map((malId) => record(malId, malId + 2000)),
    ]);
    await changeCatalog([], () => Promise.resolve());
    const html = await read(new Visitor(), await franchisePath(1));
    const connected = html.slice(html.indexOf(">Also connected<"));
    expect(connected).toContain(`href="${await franchisePath(13, "beacon-11")}"`);
    expect(connected).toMatch(/>Beacon 13<\/span> \(in <span>Beacon 11<\/span>\)</);
    expect(connected).toMatch(/>Beacon 15<\/span><\/a>/);
  });

  test("does not exist for a viewer who sees none of its titles, nor for a wrong number", async () => {
    await importTitles([21, 22].map((malId) => record(malId, 2020, { rating: "rx" })));
    await importTitles([relation(21, 22, "sequel")]);
    await changeCatalog([], () => Promise.resolve());
    const hidden = await numberOf(22);
    for (const path of [`/franchise/${hidden}/beacon-21`, "/franchise/999999", "/franchise/x"]) {
      const answer = await new Visitor().request(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).not.toContain("Beacon 2");
    }
    expect((await request(`/api/animes/franchise?number=${hidden}`)).status).toBe(404);
    expect((await request("/api/animes/franchise")).status).toBe(400);
  });

  test("puts all of it on the list but what may be skipped, and takes it back with one undo", async () => {
    const [member, path] = [await newMember(), await franchisePath(1)];
    await save(member, 2, { type: "Watching", progress: 3 });
    const html = await read(member, path);
    expect(html).toContain("Add 3 titles to my list");
    const form = Object.fromEntries(
      [...html.matchAll(/name="(title-\d+|type)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const added = await (await member.request(path, { form: { ...form, intent: "bulk-add" } })).text();
    const listed = async () =>
      (await dataOf<{ mal_id: number; type: string }[]>(member.request("/api/user/watchList")))
        .map(({ mal_id, type }) => [mal_id, type])
        .sort();
    expect(await listed()).toEqual([
      [1, "To Watch"],
      [2, "Watching"],
      [3, "To Watch"],
      [5, "To Watch"],
    ]);
    expect(added).toContain("Added 3 titles as To Watch");
    const entries = /name="entries" value="([^"]*)"/.exec(added)?.[1]?.replaceAll("&quot;", '"') ?? "";
    expect((await member.request(path, { form: { intent: "restore", entries } })).status).toBe(200);
    expect(await listed()).toEqual([[2, "Watching"]]);
  });
});

describe("a member who has seen part 2 of 5", () => {
  test("reads how much is left, goes on with part 3, and gets no places of titles that are hidden", async () => {
    const member = await newMember();
    await save(member, 2, { type: "Completed", progress: 12 });
    const page = await read(member, await franchisePath(1));
    expect(page).toContain("12 of 48 episodes seen · 36 left (15 h)");
    expect(page).toMatch(
      /Part 3<b class="part-next"> · Next for you<\/b><\/span><span class="part-name">Beacon 3/,
    );
    const title = await read(member, "/anime/2/beacon-2");
    expect(title).toMatch(new RegExp(`href="${await franchisePath(1)}"[^>]*>Part 2 of 4</a>`));
    const line = lineIn(title);
    expect(line).toContain("Part 2 of 4");
    expect(line).toContain("Next for you: Beacon 3");
    expect(line).toContain("Completed");
    expect(cardsIn(line)).toEqual([1, 6, 2, 7, 3, 5]);
    expect(lineIn(await read(member, "/anime/5/beacon-5"))).toContain("Part 4 of 4");
    expect(lineIn(await read(member, "/anime/6/beacon-6"))).toContain("Summary of Beacon 1, may be skipped");
    expect(lineIn(await read(member, "/anime/7/beacon-7"))).toContain("Special, may be skipped");
  });

  test("reads the same next part in the head of a title as in its line", async () => {
    const member = await newMember();
    for (const malId of [1, 2]) await save(member, malId, { type: "Completed", progress: 12 });
    const nextIn = (html: string) =>
      ["Next: ", "Next for you: "].map(
        (text) => new RegExp(`${text}([^<]*)`).exec(html.replace(/<!-- -->|<span[^>]*>/g, ""))?.[1],
      );
    for (const malId of [1, 2])
      expect(nextIn(await read(member, `/anime/${malId}/beacon-${malId}`))).toEqual(["Beacon 3", "Beacon 3"]);
    await save(member, 6, { type: "To Watch" });
    await save(member, 2, { type: "To Watch", progress: 0 });
    expect(nextIn(await read(member, "/anime/1/beacon-1"))).toEqual(["Beacon 6", "Beacon 6"]);
  });

  test("reads the same next part in the head of an earlier title, where a title beside it is unseen", async () => {
    await importTitles([record(61, 2002, { type: "OVA", episodes: 2 }), relation(1, 61, "side_story")]);
    await changeCatalog([], () => Promise.resolve());
    const member = await newMember();
    for (const malId of [1, 2]) await save(member, malId, { type: "Completed", progress: 12 });
    const html = await read(member, "/anime/1/beacon-1");
    expect(html).toMatch(/class="button title-next"[^>]*href="\/anime\/3\/beacon-3"/);
    expect(lineIn(html)).toContain("Next for you: Beacon 3");
  });

  test("is not told to watch again what only the history knows", async () => {
    const member = await newMember();
    await db.insert(watchHistory).values(
      [1, 2].flatMap((malId) =>
        Array.from({ length: 12 }, (_, at) => ({
          userId: member.id,
          malId,
          episode: at + 1,
          watchedAt: new Date(),
        })),
      ),
    );
    expect(await read(member, await franchisePath(1))).toMatch(
      /Next for you<\/b><\/span><span[^>]*>Beacon 3/,
    );
    for (const malId of [1, 5])
      expect(lineIn(await read(member, `/anime/${malId}/beacon-${malId}`))).toContain(
        "Next for you: Beacon 3",
      );
  });

  test("still has seen the whole of a completed title while watching a moment of it again", async () => {
    const member = await newMember();
    await save(member, 2, { type: "Completed", progress: 12 });
    const at = new Date(Date.now() + 1000);
    const place = { userId: member.id, malId: 2, episode: 2, position: 600, duration: 1500, at };
    await db.insert(watchProgress).values(place);
    expect(await read(member, await franchisePath(1))).toContain("12 of 48 episodes seen");
  });

  test("has seen as much as the list says, also while watching a moment of an earlier episode again", async () => {
    const member = await newMember();
    await save(member, 2, { type: "Watching", progress: 9 });
    const earlier = { userId: member.id, malId: 2, episode: 3, position: 600, duration: 1500 };
    await db.insert(watchProgress).values({ ...earlier, at: new Date(Date.now() + 1000) });
    const html = await read(member, await franchisePath(1));
    expect(html).toContain("9 of 48 episodes seen · 39 left");
    expect(html).toContain("Watching · 9 / 12");
  });

  test("reads once how far they are in a part", async () => {
    const member = await newMember();
    const entry = { type: "Watching", progress: 9 };
    await save(member, 2, entry);
    expect(await read(member, await franchisePath(1))).not.toContain("9 of 12 seen");
    await save(member, 2, { ...entry, state: "on_hold" });
    expect(await read(member, await franchisePath(1))).toContain("On hold · 9 of 12 seen");
  });

  test("still has seen the whole of a title that they are watching again", async () => {
    const member = await newMember();
    await save(member, 2, { type: "Completed", progress: 12 });
    await save(member, 2, { type: "Watching", state: "rewatching", rewatch_progress: 1 });
    expect(await read(member, await franchisePath(1))).toContain("12 of 48 episodes seen");
  });

  test("has nothing left where no part is next", async () => {
    const member = await newMember();
    for (const malId of [1, 2, 3, 5]) await save(member, malId, { type: "Completed" });
    const html = await read(member, await franchisePath(1));
    expect(html).toContain("48 of 48 episodes seen · nothing left");
    expect(html).not.toContain("Next for you");
  });

  test("reads which parts are left where their length is not known yet", async () => {
    const announced = (malId: number) =>
      record(malId, 2030 + malId, { episodes: null, duration: null, status: "Not yet aired" });
    await importTitles([announced(8), relation(5, 8, "sequel")]);
    await changeCatalog([], () => Promise.resolve());
    const member = await newMember();
    for (const malId of [1, 2, 3, 5]) await save(member, malId, { type: "Completed" });
    expect(await read(member, await franchisePath(1))).toContain(
      "48 of 48 episodes seen · 1 more part, its length is not known yet",
    );
    await importTitles([announced(9), relation(8, 9, "sequel")]);
    await changeCatalog([], () => Promise.resolve());
    expect(await read(member, await franchisePath(1))).toContain(
      "48 of 48 episodes seen · 2 more parts, their length is not known yet",
    );
  });

  test("counts the hidden part too, once parental control is off", async () => {
    const member = await newMember();
    await setParentalControl(member, false);
    expect(lineIn(await read(member, "/anime/5/beacon-5"))).toContain("Part 5 of 5");
    expect(await read(member, await franchisePath(1))).toContain("60 episodes, 25 h");
  });

  test("is offered part 3 on home, as a sequel that was missed", async () => {
    const member = await newMember();
    await save(member, 2, { type: "Completed", progress: 12 });
    const html = await read(member, "/");
    const row = html.slice(html.indexOf(">Missed sequels</h2>")).split("</section>")[0] ?? "";
    expect(cardsIn(row)).toEqual([3]);
    expect(html).not.toContain("Next on your list, not here yet");
  });

  test("gets the same next part by a token", async () => {
    const member = await newMember();
    await save(member, 2, { type: "Completed", progress: 12 });
    const { token } = await dataOf<{ token: string }>(
      member.request("/api/auth/tokens", { json: { name: "Script", scope: "read" } }),
      201,
    );
    const headers = { Authorization: `Bearer ${token}` };
    const next = await dataOf<{ mal_id: number }[]>(request("/api/user/upNext", { headers }));
    expect(next.map(({ mal_id }) => mal_id)).toEqual([3]);
  });
});

test("a franchise counts more than a thousand episodes, and one, in the same words everywhere", async () => {
  const member = await newMember();
  await importTitles([
    record(81, 2011, { episodes: 1160, duration: "60 min per ep" }),
    record(82, 2013, { type: "Movie", episodes: 1, duration: "1 hr" }),
    record(83, 2015, { type: "Movie", episodes: 1, duration: "1 hr" }),
    record(84, 2016, { type: "Movie", episodes: null, status: "Not yet aired" }),
    relation(81, 82, "sequel"),
    relation(83, 84, "sequel"),
  ]);
  await changeCatalog([], () => Promise.resolve());
  await save(member, 81, { type: "Watching", progress: 12 });
  const long = await read(member, await franchisePath(81, "beacon-81"));
  expect(long).toContain("1,161 episodes, 1,161 h");
  expect(long).toContain("12 of 1,161 episodes seen · 1,149 left (1,149 h)");
  const short = await read(member, await franchisePath(83, "beacon-83"));
  expect(short).toContain("0 of 1 episode seen · at least 1 left (1 h)");
});

test("a franchise of announced titles, whose episodes nobody knows, names no number of them", async () => {
  const announced = { episodes: null, duration: null, status: "Not yet aired" };
  const special = { ...announced, type: "Special" };
  await importTitles([
    ...[record(91, 2098, announced), record(92, 2099, announced), record(93, 2099, special)],
    ...[relation(91, 92, "sequel"), relation(91, 93, "summary")],
  ]);
  await changeCatalog([], () => Promise.resolve());
  const page = await read(new Visitor(), await franchisePath(91, "beacon-91"));
  expect(page).toContain('<p class="lead">2 parts and 1 more title</p>');
  expect(page).not.toContain("0 episodes");
});

test("a child sees the places of what it may see, and a visitor the same line without a next part", async () => {
  const { owner, child } = await newChild("chosen");
  for (const malId of [2, 5]) await chooseTitle(owner, malId, "allowed");
  const line = lineIn(await read(child, "/anime/5/beacon-5"));
  expect(line).toContain("Part 2 of 2");
  expect(cardsIn(line)).toEqual([2, 5]);
  const visitors = lineIn(await read(new Visitor(), "/anime/5/beacon-5"));
  expect(visitors).toContain("Part 4 of 4");
  expect(visitors).not.toContain("Next for you");
  await dataOf(
    child.request("/api/user/watchList", { json: { animeId: 2, type: "Completed", progress: 12 } }),
  );
  const page = await read(child, await franchisePath(1, "beacon-2"));
  expect(page).toContain("2 parts");
  expect(page).toContain("12 of 24 episodes seen · 12 left (5 h)");
  expect(page).toContain("Next for you");
  // The third part is hidden from it.
  expect(lineIn(await read(child, "/anime/2/beacon-2"))).toContain("Next for you: Beacon 5");
});

describe("the page of a title", () => {
  test("shows the parts of the story once, and beside them only titles of other franchises", async () => {
    await importTitles([
      record(41, 2011),
      record(42, 2012),
      relation(41, 42, "sequel"),
      relation(2, 41, "character"),
    ]);
    await changeCatalog([], () => Promise.resolve());
    const html = await read(new Visitor(), "/anime/2/beacon-2");
    const related = html.slice(html.indexOf(">Related</h2>")).split("</section>")[0] ?? "";
    expect(cardsIn(related)).toEqual([41]);
    expect(cardsIn(lineIn(html))).toEqual([1, 6, 2, 7, 3, 5]);
    expect(await read(new Visitor(), "/anime/3/beacon-3")).not.toContain(">Related</h2>");
  });

  test("shows the next parts rather than specials, if its line cannot show all", async () => {
    const specials = [31, 32, 33, 34];
    await importTitles([
      ...specials.map((malId) => record(malId, 2002, { type: "Special", episodes: 1 })),
      ...specials.map((malId) => relation(1, malId, "side_story")),
    ]);
    await changeCatalog([], () => Promise.resolve());
    const line = async (malId: number) =>
      cardsIn(lineIn(await read(new Visitor(), `/anime/${malId}/beacon-${malId}`)));
    expect(await line(1)).toEqual([1, 2, 3, 5]);
    expect(await line(33)).toEqual([1, 33, 2, 3, 5]);
  });

  test("leads to its franchise without a redirect", async () => {
    for (const malId of [1, 5]) {
      const line = lineIn(await read(new Visitor(), `/anime/${malId}/beacon-${malId}`));
      const [, path = ""] = /href="(\/franchise\/[^"]*)"/.exec(line) ?? [];
      expect([malId, (await new Visitor().request(path)).status]).toEqual([malId, 200]);
    }
  });
});

test("a verdict of the household covers the titles that a franchise had then, not those that join it later", async () => {
  const { owner, child } = await newChild("chosen");
  await chooseTitle(owner, 1, "allowed", { franchise: "1" });
  await importTitles([record(8, 2011), relation(5, 8, "sequel")]);
  await changeCatalog([], () => Promise.resolve());
  expect((await child.request("/anime/5/beacon-5")).status).toBe(200);
  expect((await child.request("/anime/8/beacon-8")).status).toBe(403);
});

describe("home", () => {
  const rowsOf = async (member: Member) =>
    (await getHome({ userId: member.id, viewer: anybody, timeZone: "UTC" }, new Date("2025-05-01"))).rows;
  const idsIn = (rows: Awaited<ReturnType<typeof rowsOf>>, kind: string) =>
    rows.filter((row) => row.kind === kind).flatMap((row) => row.titles.map(({ malId }) => malId));

  test("names no missed sequel that is listed, dismissed, not aired, or of a franchise that was dropped", async () => {
    const member = await newMember();
    await save(member, 1, { type: "Completed" });
    expect(idsIn(await rowsOf(member), "missed")).toEqual([2]);
    await save(member, 2, { type: "Watching" });
    expect(idsIn(await rowsOf(member), "missed")).toEqual([]);
    await save(member, 2, { type: "Completed" });
    expect(idsIn(await rowsOf(member), "missed")).toEqual([3]);
    await save(member, 6, { type: "Watching", state: "dropped" });
    expect(idsIn(await rowsOf(member), "missed")).toEqual([]);
    const other = await newMember();
    await save(other, 5, { type: "Completed" });
    await importTitles([record(8, 2090, { status: "Not yet aired" }), relation(5, 8, "sequel")]);
    expect(idsIn(await rowsOf(other), "missed")).toEqual([]);
  });

  test("names only sequels as missed: of the main line, and of the completed title itself", async () => {
    await importTitles([
      ...[51, 53].map((malId) => record(malId, 1960 + malId)),
      record(52, 2013, { type: "Movie", episodes: 1 }),
      record(54, 2015),
      relation(1, 51, "alternative_version"),
      relation(1, 52, "alternative_version"),
      relation(1, 53, "alternative_version"),
      relation(54, 53, "prequel"),
    ]);
    await changeCatalog([], () => Promise.resolve());
    const missedAfter = async (malId: number) => {
      const member = await newMember();
      await save(member, malId, { type: "Completed" });
      return idsIn(await rowsOf(member), "missed");
    };
    expect(await missedAfter(51)).toEqual([]);
    expect(await missedAfter(53)).toEqual([54]);
    expect(await missedAfter(1)).toEqual([2]);
    // Not even a part of the main line that comes later in the story continues an alternative.
    await db.update(franchiseTitles).set({ story: 1000 }).where(eq(franchiseTitles.malId, 5));
    expect(await missedAfter(51)).toEqual([]);
  });

  test("names no other version of a part of the main line as missed, although it follows what was completed", async () => {
    await addMovieOfSecondPart();
    const member = await newMember();
    await save(member, 1, { type: "Completed" });
    expect(idsIn(await rowsOf(member), "missed")).toEqual([2]);
    for (const malId of [2, 3, 5]) await save(member, malId, { type: "Completed" });
    expect(idsIn(await rowsOf(member), "missed")).toEqual([]);
    const viewerOfMovie = await newMember();
    for (const malId of [1, 71]) await save(viewerOfMovie, malId, { type: "Completed" });
    expect(idsIn(await rowsOf(viewerOfMovie), "missed")).toEqual([3]);
  });

  test("plans the next part of a franchise in the order of the story, and other versions last", async () => {
    await importTitles([
      record(81, 2015),
      record(82, 1999),
      relation(81, 1, "sequel"),
      relation(1, 82, "alternative_version"),
    ]);
    await changeCatalog([], () => Promise.resolve());
    const member = await newMember();
    for (const malId of [82, 1, 81]) await save(member, malId, { type: "To Watch" });
    const { planned } = await getHome(
      { userId: member.id, viewer: anybody, timeZone: "UTC" },
      new Date("2025-05-01"),
    );
    expect(planned.map(({ malId }) => malId)).toEqual([81]);
  });

  test("names one next title of a franchise, in the row of missed sequels, but keeps what was begun", async () => {
    await importTitles([
      record(61, 2002, { type: "OVA", episodes: 2 }),
      record(62, 2010),
      relation(1, 61, "side_story"),
      relation(5, 62, "sequel"),
    ]);
    await changeCatalog([], () => Promise.resolve());
    const member = await newMember();
    const homeOf = async () => {
      const { missing, planned, rows } = await getHome(
        { userId: member.id, viewer: anybody, timeZone: "UTC" },
        new Date("2025-05-01"),
      );
      return [
        missing.map(({ title }) => title.malId),
        planned.map(({ malId }) => malId),
        idsIn(rows, "missed"),
      ];
    };
    await save(member, 1, { type: "Completed" });
    expect(await homeOf()).toEqual([[], [], [2]]);
    await save(member, 62, { type: "To Watch" });
    expect(await homeOf()).toEqual([[], [], [2]]);
    await save(member, 61, { type: "Watching", progress: 1 });
    expect(await homeOf()).toEqual([[61], [], [2]]);
  });

  test("names the aired sequel behind a part that has not aired, as the title, home and the end card do", async () => {
    const member = await newMember();
    await importTitles([record(3, 2090, { status: "Not yet aired" })]);
    await changeCatalog([], () => Promise.resolve());
    for (const malId of [1, 2]) await save(member, malId, { type: "Completed" });
    expect(idsIn(await rowsOf(member), "missed")).toEqual([5]);
    const cards = await dataOf<{ mal_id: number }[]>(member.request("/api/user/upNext"));
    expect(cards.map(({ mal_id }) => mal_id)).toEqual([5]);
    const html = await read(member, "/anime/2/beacon-2");
    expect(html).toMatch(/class="button title-next"[^>]*href="\/anime\/5\/beacon-5"/);
    expect(lineIn(html)).toContain("Next for you: Beacon 5");
  });

  test("recommends the first part of a franchise only, and nothing of one that was dropped", async () => {
    await importTitles([31, 32, 33, 34].map((malId) => record(malId, 2015, { title: `Riddle of ${malId}` })));
    await changeCatalog([], () => Promise.resolve());
    const member = await newMember();
    await updateProfile(member.id, { favoriteGenres: ["Mystery"] });
    const suggested = async () => idsIn(await rowsOf(member), "because").sort((one, other) => one - other);
    expect(await suggested()).toEqual([1, 31, 32, 33, 34]);
    await save(member, 3, { type: "Watching", state: "dropped" });
    expect(await suggested()).toEqual([31, 32, 33, 34]);
    expect((await listSimilarTitles(31, 20, anybody)).map(({ title }) => title.malId).sort()).toEqual([
      1, 32, 33, 34,
    ]);
    expect((await listSimilarTitles(5, 20, anybody)).map(({ title }) => title.malId)).not.toContain(1);
    expect(await read(member, "/anime/31/riddle-of-31")).not.toContain("Beacon 1<");
    expect(await read(new Visitor(), "/anime/31/riddle-of-31")).toContain("Beacon 1<");
  });
});

describe("the next title", () => {
  const nextOn = async (member: Member, malId: number) =>
    /class="button title-next"[^>]*href="([^"]*)"/.exec(
      await read(member, `/anime/${malId}/beacon-${malId}`),
    )?.[1];

  test("follows the story and passes over what may be skipped, unless the member has it on the list", async () => {
    const member = await newMember();
    await save(member, 1, { type: "Completed" });
    expect(await nextOn(member, 1)).toBe("/anime/2/beacon-2");
    await save(member, 6, { type: "To Watch" });
    expect(await nextOn(member, 1)).toBe("/anime/6/beacon-6");
    await save(member, 3, { type: "Completed" });
    for (const malId of [1, 3]) expect(await nextOn(member, malId)).toBe("/anime/5/beacon-5");
  });

  test("after a part of the main line, passes over an other version, unless the member has it on the list", async () => {
    await addMovieOfSecondPart();
    const member = await newMember();
    const cards = async () =>
      (await dataOf<{ mal_id: number }[]>(member.request("/api/user/upNext"))).map(({ mal_id }) => mal_id);
    await save(member, 1, { type: "Completed" });
    expect(await nextOn(member, 1)).toBe("/anime/2/beacon-2");
    expect(await cards()).toEqual([2]);
    await save(member, 71, { type: "To Watch" });
    expect(await nextOn(member, 1)).toBe("/anime/71/beacon-71");
    expect(await cards()).toEqual([71]);
    // The movie has told the second part.
    await save(member, 71, { type: "Completed" });
    expect(await nextOn(member, 71)).toBe("/anime/3/beacon-3");
    expect(await cards()).toEqual([3]);
  });

  test("is the first unseen one after this title, on its end card", async () => {
    const member = await newMember();
    const nextOf = async (malId: number) => {
      const paths = (await read(member, `/watch/${malId}/12.data`)).match(/\/anime\/\d+\/beacon-\d+/g) ?? [];
      return paths.find((path) => !path.startsWith(`/anime/${malId}/`));
    };
    for (const malId of [1, 3]) await save(member, malId, { type: "Completed" });
    expect(await nextOf(1)).toBe("/anime/2/beacon-2");
    expect(await nextOf(3)).toBe("/anime/5/beacon-5");
    await save(member, 2, { type: "Completed" });
    expect(await nextOf(1)).toBe("/anime/5/beacon-5");
    await save(member, 5, { type: "Watching", state: "dropped" });
    expect(await nextOf(1)).toBe("/anime/2/beacon-2");
  });

  test("follows a finished title also when the member has seen the whole franchise, and no part is called next", async () => {
    const member = await newMember();
    for (const malId of [1, 2, 3, 5, 6]) await save(member, malId, { type: "Completed" });
    expect(await nextOn(member, 1)).toBe("/anime/2/beacon-2");
    expect(lineIn(await read(member, "/anime/1/beacon-1")).toLowerCase()).not.toContain("next for you");
  });

  test("is a card until the member passes it over for a later part", async () => {
    const member = await newMember();
    const cards = async () =>
      (await dataOf<{ mal_id: number }[]>(member.request("/api/user/upNext"))).map(({ mal_id }) => mal_id);
    await save(member, 1, { type: "Completed" });
    expect(await cards()).toEqual([2]);
    await save(member, 3, { type: "Completed" });
    expect(await cards()).toEqual([5]);
    await save(member, 2, { type: "To Watch" });
    expect(await cards()).toHaveLength(1);
  });
});

test("/v4 names the same order as the franchise, also where sources know a relation of one title only", async () => {
  await importTitles([relation(5, 3, "sequel"), relation(3, 5, "sequel")]);
  await changeCatalog([], () => Promise.resolve());
  const relationsOf = async (malId: number) => {
    const { data } = (await (await request(`/v4/anime/${malId}/relations`)).json()) as {
      data: { relation: string; entry: { mal_id: number }[] }[];
    };
    return Object.fromEntries(data.map((one) => [one.relation, one.entry.map(({ mal_id }) => mal_id)]));
  };
  expect(await relationsOf(2)).toEqual({ Prequel: [1], Sequel: [3], "Side Story": [7] });
  expect(await relationsOf(6)).toEqual({ "Full Story": [1] });
  expect(await relationsOf(3)).toEqual({ Prequel: [2], Sequel: [5] });
  expect(await relationsOf(5)).toEqual({ Prequel: [3] });
});
