import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { tool as catalogExport } from "#app/cli/catalog-export.ts";
import { numberFirstTags } from "#app/domain/catalog-import/catalog-import.server.ts";
import { db } from "#db/client.server.ts";
import { tags, titleRecords, titles } from "#db/schema/catalog.ts";
import { exportedText, importJson, importText, withoutSources } from "#tests/support/data/catalog-text.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

beforeEach(async () => {
  await db.delete(titles);
  await db.delete(tags);
});

const jikan = (more: object = {}) => ({
  mal_id: 1,
  titles: [{ type: "Default", title: "Cowboy Bebop" }],
  type: "TV",
  score: 8.75,
  synopsis: "A text of MyAnimeList.",
  genres: [{ mal_id: 1, name: "Action" }],
  themes: [{ mal_id: 62, name: "Isekai" }],
  studios: [{ mal_id: 14, name: "Sunrise" }],
  ...more,
});
const offline = {
  title: "cowboy bebop",
  type: "TV",
  episodes: 26,
  status: "FINISHED",
  synonyms: ["CB"],
  animeSeason: { season: "SPRING", year: 1998 },
  tags: ["space", "bounty hunter"],
  studios: ["sunrise"],
  sources: ["https://myanimelist.net/anime/1", "https://anidb.net/anime/23"],
};
const titleRow = async () => (await db.select().from(titles).where(eq(titles.malId, 1)))[0];
const sourcesOf = async () => (await db.select().from(titleRecords)).map(({ source }) => source).sort();
const lists = [{ mal_id: 1, anidb_id: 23, tvdb_id: 76885, season: { tvdb: 1 } }];
const titleLine = (text: string) =>
  text
    .split("\n")
    .map((line) => JSON.parse(line || "{}") as Record<string, unknown>)
    .find(({ kind }) => kind === "title");

test("two sources give the same title in either order, and each keeps its record", async () => {
  const facts = async () => {
    const { updatedAt: _, ...row } = (await titleRow()) ?? ({} as never);
    return row;
  };
  await importJson({ data: jikan() });
  await importJson({ data: [offline] });
  const first = await facts();
  expect(first).toMatchObject({ title: "Cowboy Bebop", episodes: 26, score: 8.75, titleSynonyms: ["CB"] });
  expect(await sourcesOf()).toEqual(["jikan", "offline-database"]);
  await db.delete(titles);
  await importJson({ data: [offline] });
  expect((await titleRow())?.title).toBe("cowboy bebop");
  await importJson({ data: jikan() });
  expect(await facts()).toEqual(first);
});

test("the operator's value survives ten imports of contradicting data", async () => {
  await importJson({ data: jikan() });
  await db.insert(titleRecords).values({
    malId: 1,
    source: "operator",
    seenAt: new Date(),
    fields: { title: "Bebop", synopsis: null },
  });
  for (let at = 0; at < 10; at++)
    await importJson({ data: jikan({ score: at / 2, synopsis: `Text ${at}`, title: `Name ${at}` }) });
  expect(await titleRow()).toMatchObject({ title: "Bebop", synopsis: null, score: 4.5 });
});

test("a title from before records keeps its values, with the lowest rank", async () => {
  await db.insert(titles).values({
    malId: 1,
    title: "Old",
    titleKey: "old",
    year: 1998,
    synopsis: "Old text",
    genres: ["Drama"],
    airedFrom: new Date("1998-04-03"),
  });
  await importText(JSON.stringify({ mal_id: 1, title: "Starter", episodes: 26 }), { fillOnly: true });
  expect(await titleRow()).toMatchObject({ title: "Old", year: 1998, episodes: 26 });
  const [a, b] = await Promise.all([importJson({ data: jikan() }), importJson({ data: jikan() })]);
  expect([a.titles.changed + b.titles.changed, a.titles.unchanged + b.titles.unchanged]).toEqual([1, 1]);
  expect(await sourcesOf()).toEqual(["before", "jikan", "starter"]);
  expect(await titleRow()).toMatchObject({
    title: "Cowboy Bebop",
    year: 1998,
    episodes: 26,
    genres: ["Action"],
    airedFrom: new Date("1998-04-03"),
  });
});

test("a repeated import writes no record for a day, and then only the time it was seen", async () => {
  const seenAt = async () => (await db.select().from(titleRecords))[0]?.seenAt.getTime() ?? 0;
  await importJson({ data: jikan() });
  const first = await seenAt();
  expect((await importJson({ data: jikan() })).titles).toEqual({ added: 0, changed: 0, unchanged: 1 });
  expect(await seenAt()).toBe(first);
  await db.update(titleRecords).set({ seenAt: new Date(first - 90_000_000) });
  expect((await importJson({ data: jikan() })).titles.unchanged).toBe(1);
  expect(await seenAt()).toBeGreaterThanOrEqual(first);
});

test("a dry run writes no record and no tag", async () => {
  await importJson({ data: jikan() }, { dryRun: true });
  expect([await sourcesOf(), await db.select().from(tags)]).toEqual([[], []]);
});

test("an export leaves out texts that may not be shared, and --with-texts names their source", async () => {
  await importJson({ data: jikan() });
  await importTitles([{ mal_id: 1, title: "Cowboy Bebop", background: "The operator's own words." }]);
  const plain = await exportedText();
  expect(titleLine(plain)).toMatchObject({ synopsis: null, background: "The operator's own words." });
  expect(plain).not.toContain("A text of MyAnimeList");
  const { stdout } = await runToolInProcess(catalogExport, ["--with-texts"]);
  expect(titleLine(stdout)).toMatchObject({
    synopsis: "A text of MyAnimeList.",
    texts_from: { synopsis: "jikan" },
  });
  await db.delete(titles);
  await importText(stdout);
  expect(await exportedText({ withTexts: true })).toBe(stdout);
  expect(await exportedText(), "the copy does not give the text away either").toBe(plain);
});

test("an export names its sources and licenses first, and an import leaves that line out", async () => {
  await importJson({ data: jikan() });
  await importJson({ data: [offline] });
  const [about = ""] = (await exportedText()).split("\n");
  expect(JSON.parse(about)).toEqual({
    kind: "about",
    sources: [
      expect.objectContaining({
        source: "jikan",
        titles: 1,
        license: expect.stringContaining("MyAnimeList"),
      }),
      expect.objectContaining({
        source: "offline-database",
        titles: 1,
        license: expect.stringContaining("ODbL"),
      }),
    ],
  });
  const report = await importText(about);
  expect([report.rejectedCount, report.titles]).toEqual([0, { added: 0, changed: 0, unchanged: 0 }]);
});

test("an export leaves out addresses of pictures that may not be shared, and --with-texts names their source", async () => {
  const picture = "https://cdn.example/1.jpg";
  await importJson({ data: jikan({ images: { jpg: { image_url: picture } } }) });
  expect(await exportedText()).not.toContain(picture);
  const whole = await exportedText({ withTexts: true });
  expect(titleLine(whole)).toMatchObject({ image_url: picture, texts_from: { image_url: "jikan" } });
  await db.delete(titles);
  await importText(whole);
  expect((await titleRow())?.imageUrl).toBe(picture);
  expect(await exportedText()).not.toContain(picture);
});

test("an export leaves out ids that come from Anime-Lists alone", async () => {
  await importJson({ data: [offline] });
  await importJson(lists);
  expect((await titleRow())?.title).toBe("cowboy bebop");
  for (const withTexts of [false, true])
    expect(titleLine(await exportedText({ withTexts }))).toMatchObject({ external_ids: ["anidb:23"] });
});

test("tags have MyAnimeList's numbers or else our own, which an export keeps", async () => {
  await importJson({ data: [offline] });
  const numbers = async () =>
    Object.fromEntries((await db.select().from(tags)).map(({ name, malId }) => [name, malId]));
  const own = await numbers();
  expect(own).toMatchObject({ Space: 29, Action: 1, Isekai: 62, Kids: 15 });
  expect([own["Bounty Hunter"], own.Sunrise].sort()).toEqual([1_000_000, 1_000_001]);
  await importJson({ data: jikan({ studios: [{ mal_id: 14, name: "SUNRISE" }] }) });
  expect(await numbers()).toMatchObject({ SUNRISE: 14, "Bounty Hunter": own["Bounty Hunter"] });
  await importTitles([{ mal_id: 2, title: "Another", themes: ["Aardvark"] }]);
  const first = await exportedText();
  expect(first).toContain('{"kind":"tag","tag":"producer","mal_id":14,"name":"SUNRISE"}\n');
  await db.delete(titles);
  await db.delete(tags);
  const lines = first.trimEnd().split("\n");
  await importText(lines.toReversed().join("\n"));
  expect(withoutSources(await exportedText())).toBe(withoutSources(first));
});

test("a catalog of the earlier version gets its numbers once, with any number of processes", async () => {
  await db.insert(titles).values({ malId: 1, title: "Old", titleKey: "old", studios: ["Bones", "MAPPA"] });
  await Promise.all([numberFirstTags(), numberFirstTags(), numberFirstTags()]);
  const rows = await db.select().from(tags).where(eq(tags.kind, "producer")).orderBy(tags.malId);
  expect(rows.map(({ malId, name }) => [malId, name])).toEqual([
    [1_000_000, "Bones"],
    [1_000_001, "MAPPA"],
  ]);
});
