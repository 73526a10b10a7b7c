import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { watchList } from "#db/schema/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newChild } from "#tests/support/requests/household.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember } from "#tests/support/requests/visitor.ts";

/** The list page as a browser without scripts shows it. */

type Entry = Record<string, unknown>;

const add = (member: Member, json: object) => dataOf(member.request("/api/user/watchList", { json }));
const entriesOf = (member: Member) => dataOf<Entry[]>(member.request("/api/user/watchList"));
const pageOf = async (member: Member, path: string) => (await member.request(path)).text();
/** The titles of the rows, in their order. */
const rowsIn = (html: string) =>
  [...html.matchAll(/class="list-row-name">([^<]*)</g)].map(([, name]) => name);

async function withList() {
  const member = await newMember();
  const [bebop, castle, film] = [
    await someTitle({ title: "Café Bebop", type: "TV", year: 1998, genres: ["Drama"], episodes: 26 }),
    await someTitle({ title: "Kumo no Shiro", titleEnglish: "Castle of Clouds", year: 2004, episodes: 12 }),
    await someTitle({ title: "Zutto", type: "Movie", year: 2004, episodes: 1, score: 9 }),
  ];
  await add(member, { animeId: bebop, type: "Watching", progress: 3, score: 7, tags: ["with Mika"] });
  await add(member, { animeId: castle, type: "Watching", state: "on_hold", started_on: "2024-01-02" });
  await add(member, { animeId: film, type: "Completed", rewatch_count: 2, tags: ["with Mika", "best"] });
  return { member, bebop, castle, film };
}

test("the list is searched by any name, and filtered by status, format, genre, year and tag", async () => {
  const { member } = await withList();
  const rows = async (query: string) => rowsIn(await pageOf(member, `/list?${query}`));
  expect(await rows("")).toEqual(["Zutto", "Kumo no Shiro", "Café Bebop"]);
  expect(await rows("q=cafe")).toEqual(["Café Bebop"]);
  expect(await rows("q=castle")).toEqual(["Kumo no Shiro"]);
  expect(await rows("tab=on-hold")).toEqual(["Kumo no Shiro"]);
  expect(await rows("tab=watching")).toEqual(["Café Bebop"]);
  expect(await rows("format=Movie")).toEqual(["Zutto"]);
  expect(await rows("genre=Drama")).toEqual(["Café Bebop"]);
  expect(await rows("year=2004")).toEqual(["Zutto", "Kumo no Shiro"]);
  expect(await rows("tag=with+Mika")).toEqual(["Zutto", "Café Bebop"]);
  expect(await rows("tag=with+Mika&q=zut")).toEqual(["Zutto"]);
  expect(await rows("sort=started")).toEqual(["Kumo no Shiro", "Zutto", "Café Bebop"]);
  expect(await rows("sort=community")).toEqual(["Zutto", "Kumo no Shiro", "Café Bebop"]);
  expect(await pageOf(member, "/list?tag=nothing")).toContain("No titles here");
});

test("a row says the title's genres, and the dates of the entry or when it was added", async () => {
  const { member, bebop, film } = await withList();
  await add(member, {
    animeId: film,
    type: "Completed",
    started_on: "2024-03-01",
    finished_on: "2024-03-02",
  });
  const added = new Date("2026-02-03T23:30:00Z");
  await db.update(watchList).set({ addedAt: added }).where(eq(watchList.malId, bebop));
  const html = await pageOf(member, "/list");
  expect(html).toContain("Started 1 Mar 2024\nFinished 2 Mar 2024<");
  expect(html).toContain("Started 2 Jan 2024<");
  expect(html).toMatch(/Café Bebop<[\s\S]*>Drama<[\s\S]*Added [34] Feb 2026</);
});

test("dates, rewatches, tags and note are edited in the entry that the address names", async () => {
  const { member, film } = await withList();
  const path = `/list?edit=${film}`;
  const html = await pageOf(member, path);
  expect(html).toContain('name="started_on"');
  expect(html).toContain('value="with Mika, best"');
  const closed = await pageOf(member, "/list");
  expect(closed).not.toContain('name="started_on"');
  // The fragment makes a browser without scripts scroll to the row.
  expect(closed).toContain(`href="${path}#details"`);
  expect(html).toContain('id="details"');
  const form = {
    intent: "save",
    mal_id: `${film}`,
    started_on: "2024-02-29",
    finished_on: "",
    rewatch_count: "3",
    tags: " cosy ,, best,cosy",
    notes: "Hm",
  };
  expect((await member.request(path, { form })).status).toBe(200);
  const expected = { started_on: "2024-02-29", finished_on: null, rewatch_count: 3, notes: "Hm" };
  expect((await entriesOf(member))[0]).toMatchObject({ ...expected, tags: ["cosy", "best"] });
  for (const [field, value, text] of [
    ["started_on", "2024-02-30", "The date “Started”"],
    ["finished_on", "2024-02-28", "The date “Finished” is before the date “Started”"],
    ["tags", "x".repeat(61), "A tag"],
    ["rewatch_count", "-1", "The number of rewatches"],
  ] as const) {
    const refused = await member.request(path, { form: { ...form, [field]: value } });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(text);
  }
  expect((await entriesOf(member))[0]).toMatchObject(expected);
});

test("saving a row with the progress that it showed keeps the ticks, and a rewatch counts its own episodes", async () => {
  const { member, bebop } = await withList();
  const save = (form: Record<string, string>) =>
    member.request("/list", { form: { intent: "save", mal_id: `${bebop}`, ...form } });
  await save({ progress: "0" });
  await save({ tick: "9" });
  await save({ progress: "9", progress_was: "9", score: "8" });
  const file = (await (await member.request("/api/user/watchList/export")).json()) as { entries: Entry[] };
  expect(file.entries.find(({ mal_id }) => mal_id === bebop)).toMatchObject({ ticks: [[9, 9]], score: 8 });
  await save({ progress: "9", progress_was: "9", step: "1" });
  await save({ type: "rewatching" });
  await save({ rewatch_progress: "2", progress_was: "2", step: "1" });
  const rewatched = { progress: 10, state: "rewatching", rewatch_progress: 3 };
  expect((await entriesOf(member))[0]).toMatchObject(rewatched);
  // From a page that is behind.
  await save({ rewatch_progress: "1", progress_was: "1", step: "1" });
  await save({ rewatch_progress: "1", progress_was: "1", score: "7" });
  expect((await entriesOf(member))[0]).toMatchObject({ ...rewatched, score: 7 });
  // A lower number that the member wrote before the button was pressed.
  await save({ rewatch_progress: "1", progress_was: "3", step: "1" });
  expect((await entriesOf(member))[0]).toMatchObject({ rewatch_progress: 2 });
});

test("a row offers the next episode where it has a source, and the page offers to choose all rows", async () => {
  const { member, bebop, castle } = await withList();
  await db.insert(episodes).values({ malId: bebop, number: 4 });
  await db
    .insert(episodeSources)
    .values({ malId: bebop, episode: 4, url: "https://films.example.org/4.mp4", type: "mp4" });
  const html = await pageOf(member, "/list");
  expect(html).toContain(`href="/watch/${bebop}/4"`);
  expect(html).not.toContain(`href="/watch/${castle}/`);
  expect(html).not.toContain('<select class="select" name="type"');
  const ticked = (page: string) => page.match(/<input[^>]*class="tick"[^>]*checked/g)?.length ?? 0;
  const choosing = await pageOf(member, "/list?choose=1");
  expect(ticked(choosing)).toBe(0);
  expect(choosing).toContain("Select all 3");
  expect(ticked(await pageOf(member, "/list?all=1"))).toBe(3);
});

test("import and export stand above the entries, and cards show the member's own score", async () => {
  const { member } = await withList();
  const html = await pageOf(member, "/list");
  expect(html.indexOf('id="transfer"')).toBeGreaterThan(0);
  expect(html.indexOf('id="transfer"')).toBeLessThan(html.indexOf('class="list-rows"'));
  for (const format of ["xml", "json", "anilist"]) expect(html).toContain(`export?format=${format}`);
  expect(await pageOf(member, "/list?view=grid")).toMatch(/my score<\/span><b class="own-score">7</);
});

test("an empty list offers to import one, except to a child, who cannot", async () => {
  const offers = async (path: Promise<Response>) => (await (await path).text()).includes("Import a list");
  const { owner, child } = await newChild("pg");
  expect([await offers(owner.request("/list")), await offers(child.request("/list"))]).toEqual([true, false]);
});

test("the notice with Undo is the first thing of the page, so a keyboard reaches it before the rows", async () => {
  const { member, bebop } = await withList();
  const form = { intent: "save", mal_id: `${bebop}`, progress: "4" };
  const html = (await (await member.request("/list", { form })).text()).split("<main")[1] ?? "";
  expect(html).toContain("Saved Café Bebop");
  const before = html.slice(0, html.search(/>\s*Undo\s*</));
  expect(before).toContain("Saved Café Bebop");
  expect(before).not.toMatch(/<(h1|a|input|select)\b(?![^>]*type="hidden")/);
});

test.each([
  ["whole", "7.5", '<option value="7.5" selected="">7.5<', "score 9<"],
  [
    "decimal",
    "7.5",
    '<input aria-label="My score for Café Bebop"[^>]*step="0.1"[^>]*value="7.5"',
    "score 9.0<",
  ],
  ["stars", "4 ★", '<option value="7.5" selected="">4 ★<', "score 5 ★<"],
])(
  "scores are shown and typed as %s, in rows, on cards, on the title page and in the notice, and stored as ten points",
  async (format, card, field, notice) => {
    const { member, bebop } = await withList();
    await add(member, { animeId: bebop, type: "Watching", score: 7.5 });
    const saved = await member.request("/settings/preferences?part=viewing", {
      form: { scoreFormat: format },
    });
    expect(saved.status).toBe(302);
    const html = await pageOf(member, `/list?edit=${bebop}`);
    expect(html).toMatch(new RegExp(field));
    expect(await pageOf(member, "/list?view=grid")).toContain(`<b class="own-score">${card}<`);
    const fieldOf = (page: string) => page.slice(page.indexOf("My score")).match(/value="7.5"/);
    expect(fieldOf(await pageOf(member, `/anime/${bebop}/cafe-bebop`))).not.toBeNull();
    const form = { intent: "save", mal_id: `${bebop}`, score: "7.5" };
    await member.request("/list", { form });
    expect((await entriesOf(member)).find(({ mal_id }) => mal_id === bebop)).toMatchObject({ score: 7.5 });
    const answer = await member.request("/list", { form: { ...form, score: "9" } });
    expect(await answer.text()).toContain(notice);
  },
);
