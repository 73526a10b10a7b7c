import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { tool as catalogExport } from "#app/cli/catalog-export.ts";
import { tool as catalogImport } from "#app/cli/catalog-import.ts";
import {
  importRecords,
  openCatalogFile,
  parseRecord,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import type { CatalogRecord } from "#app/domain/catalog-import/catalog-import.ts";
import { db } from "#db/client.server.ts";
import { tags, titleAliases, titleIds, titles } from "#db/schema/catalog.ts";
import { catalogState } from "#db/schema/catalog-state.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { exportedText, withoutSources } from "#tests/support/data/catalog-text.ts";
import { generatedTitle, generatedTitles } from "#tests/support/data/generated-titles.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

const folder = temporaryFolder("import");
beforeEach(async () => {
  await db.delete(titles);
});

const lines = (records: readonly object[]) =>
  `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;
function file(name: string, content: string | Buffer) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const importFile = async (path: string, options = {}) =>
  importRecords((await openCatalogFile(path)).records, options);
const version = async () => (await db.select().from(catalogState))[0]?.version ?? 0;

const filmRecords = [
  { kind: "source", mal_id: 1, number: 1, url: "/film/1/master.m3u8", type: "hls", label: "HLS" },
  { kind: "source", mal_id: 1, number: 1, url: "/film/1/film.webm", type: "webm" },
  { kind: "relation", from: 2, to: 1, relation: "sequel" },
  {
    kind: "title",
    mal_id: 1,
    title: "The Film",
    title_japanese: "映画",
    episodes: 2,
    rating: "G - All Ages",
    genres: ["Drama"],
  },
  { kind: "title", mal_id: 2, title: "The Sequel", genres: ["Drama"], synopsis: "Known" },
  { kind: "episode", mal_id: 1, number: 1, title: "First", date: "2026-06-05T10:00:00.000Z", duration: 130 },
  { kind: "subtitle", mal_id: 1, number: 1, url: "/film/1/en.vtt", language: "en", label: "English" },
  { kind: "skip", mal_id: 1, number: 1, segment: "intro", start: 4, end: 14 },
];

test("records are imported in any order, and a second import changes nothing", async () => {
  const path = file("film.ndjson", lines(filmRecords));
  expect(await importFile(path)).toMatchObject({
    titles: { added: 2 },
    details: { added: 6 },
    rejectedCount: 0,
  });
  const after = await version();
  expect(await importFile(path)).toMatchObject({
    titles: { added: 0, changed: 0, unchanged: 2 },
    details: { added: 0, changed: 0, unchanged: 6 },
  });
  expect(await version()).toBe(after);
  const sources = await db
    .select({ url: episodeSources.url })
    .from(episodeSources)
    .orderBy(episodeSources.position);
  expect(sources.map(({ url }) => url)).toEqual(["/film/1/master.m3u8", "/film/1/film.webm"]);
});

test("an import with empty fields keeps stored values and adds new ones", async () => {
  await importFile(file("a.ndjson", lines(filmRecords)));
  const report = await importFile(
    file("b.ndjson", lines([{ mal_id: 2, title: "The Sequel", score: 8, synopsis: null, genres: [] }])),
  );
  expect(report.titles).toEqual({ added: 0, changed: 1, unchanged: 0 });
  const [row] = await db.select().from(titles).where(titleIs(2));
  expect(row).toMatchObject({ score: 8, synopsis: "Known", genres: ["Drama"] });
});
const titleIs = (id: number) => eq(titles.malId, id);

test("with fillOnly, an import fills only empty fields", async () => {
  await importTitles([{ mal_id: 2, title: "Fresh", score: 9 }]);
  await importRecords(
    (await openCatalogFile(file("old.ndjson", lines([{ mal_id: 2, title: "Stale", score: 5, year: 1999 }]))))
      .records,
    {
      fillOnly: true,
    },
  );
  const [row] = await db.select().from(titles);
  expect(row).toMatchObject({ title: "Fresh", score: 9, year: 1999 });
});

test("a dry run reports what would change and changes nothing", async () => {
  const before = await version();
  const report = await importFile(file("film.ndjson", lines(filmRecords)), { dryRun: true });
  expect(report).toMatchObject({ titles: { added: 2 }, details: { added: 6 }, rejectedCount: 0 });
  expect([await db.select().from(titles), await version()]).toEqual([[], before]);
});

test("invalid lines are reported with line and reason, and the rest is imported", async () => {
  const report = await importFile(
    file(
      "bad.ndjson",
      `{"mal_id":1,"title":"Good"}\nnonsense\n{"mal_id":2}\n{"kind":"relation","from":99,"to":1,"relation":"other"}\n[1]\n`,
    ),
  );
  expect(report.titles.added).toBe(1);
  expect(report.rejected).toEqual([
    { where: "line 2", reason: "is not valid JSON" },
    { where: "line 3", reason: expect.stringMatching(/^title: /) },
    { where: "line 5, element 1", reason: "is not an object" },
    { where: "line 4", reason: "title 99 is not in the catalog" },
  ]);
});

test("mature titles and their relations are left out, unless includeAdult is set", async () => {
  const records = [
    { kind: "title", mal_id: 3, title: "Adult", rating: "Rx - Hentai" },
    { kind: "title", mal_id: 4, title: "Adult too", genres: ["Erotica"] },
    { kind: "relation", from: 3, to: 4, relation: "sequel" },
  ];
  const path = file("adult.ndjson", lines(records));
  expect(await importFile(path)).toMatchObject({ titles: { added: 0 }, leftOut: 3, rejectedCount: 0 });
  expect(await importFile(path, { includeAdult: true })).toMatchObject({ titles: { added: 2 }, leftOut: 0 });
});

test("an import that leaves adult titles out still marks a stored title as adult", async () => {
  await importTitles([{ mal_id: 3, title: "Known" }]);
  const path = file("adult.ndjson", lines([{ kind: "title", mal_id: 3, title: "Known", rating: "rx" }]));
  expect(await importFile(path)).toMatchObject({ titles: { changed: 1 }, leftOut: 0 });
  expect(await db.select({ isMature: titles.isMature }).from(titles)).toEqual([{ isMature: true }]);
});

test("an import that ends exactly at a checkpoint has already numbered tags and moved ids between titles", async () => {
  const word = (mal_id: number, id: string, more = {}) => ({
    where: String(mal_id),
    source: "engawa" as const,
    record: parseRecord({
      mal_id,
      title: `Title ${mal_id}`,
      external_ids: [`anidb:${id}`],
      ...more,
    }) as CatalogRecord,
  });
  const tag_numbers = [{ kind: "theme", mal_id: 4711, name: "Checkpoints" }];
  const until = async (...words: ReturnType<typeof word>[]) => {
    const killed = { reached: () => Promise.reject(new Error("killed")) };
    const records = (async function* () {
      yield* [...words, killed];
    })();
    await expect(importRecords(records)).rejects.toThrow("killed");
  };
  await until(word(1, "1"), word(2, "1", { themes: ["Checkpoints"], tag_numbers }));
  expect(await db.select().from(tags).where(eq(tags.malId, 4711))).toMatchObject([{ name: "Checkpoints" }]);
  await until(word(1, "9"));
  expect(await db.select().from(titleIds).where(eq(titleIds.externalId, "1"))).toMatchObject([{ malId: 2 }]);
});

test("names that normalise to the same text are stored once", async () => {
  await importTitles([
    { mal_id: 5, title: "Toukyou!", title_english: "Tokyo", title_synonyms: ["TŌKYŌ", "Edo"] },
  ]);
  const aliases = await db.select({ key: titleAliases.key, kind: titleAliases.kind }).from(titleAliases);
  expect(aliases.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
    { key: "edo", kind: "synonym" },
    { key: "tokyo", kind: "title" },
  ]);
});

test.each([
  ["title", { title: "Kyoto" }, ["edo", "kyoto", "nara", "tokyo"]],
  ["English title", { title_english: "Kyoto" }, ["edo", "kyoto", "nara", "nippon"]],
  ["Japanese title", { title_japanese: "Kyoto" }, ["edo", "kyoto", "nippon", "tokyo"]],
  ["synonym", { title_synonyms: ["Kyoto"] }, ["kyoto", "nara", "nippon", "tokyo"]],
])("a title with another %s loses its old names", async (_, renamed, keys) => {
  const names = { title: "Nippon", title_english: "Tokyo", title_japanese: "Nara", title_synonyms: ["Edo"] };
  const title = { mal_id: 5, ...names };
  await importTitles([title]);
  await importTitles([{ ...title, ...renamed }]);
  const aliases = await db.select({ key: titleAliases.key }).from(titleAliases);
  expect(aliases.map(({ key }) => key).sort()).toEqual(keys);
});

test("500 titles with 41 names each are imported, although one statement cannot hold them", async () => {
  const names = (id: number) => Array.from({ length: 40 }, (_, at) => `Name ${id} number ${at}`);
  const many = Array.from({ length: 500 }, (_, at) => ({
    mal_id: at + 1,
    title: `Many ${at}`,
    title_synonyms: names(at),
  }));
  expect((await importFile(file("many.ndjson", lines(many)))).titles.added).toBe(500);
  expect(await db.$count(titleAliases)).toBe(500 * 41);
});

test("a gzipped file, a gzipped URL and a JSON document are imported, and a missing one is an error", async () => {
  const records = generatedTitles(30);
  expect((await importFile(file("t.gz", gzipSync(lines(records))))).titles.added).toBe(30);
  const upstream = await startUpstream((request, response) => {
    if (request.url === "/gone") return response.writeHead(404).end();
    response.end(
      request.url === "/page" ? JSON.stringify({ pagination: {}, data: records }) : gzipSync(lines(records)),
    );
  });
  for (const path of ["/page", "/dump.jsonl.gz"])
    expect((await importFile(upstream.origin + path)).titles.unchanged).toBe(30);
  await expect(importFile(`${upstream.origin}/gone`)).rejects.toThrow("answered 404");
  await expect(importFile(join(folder, "missing"))).rejects.toThrow("ENOENT");
});

test("a truncated file is imported up to the cut, reported, and exits with 1", async () => {
  const whole = gzipSync(lines(generatedTitles(1200)));
  const path = file("cut.ndjson.gz", whole.subarray(0, whole.length / 2));
  const { titles: tally, brokenOff } = await importFile(path);
  expect(brokenOff).toContain("is incomplete or damaged");
  expect(tally.added).toBeGreaterThan(100);
  expect(tally.added % 500, "the last, smaller batch is imported too").not.toBe(0);
  expect(await db.$count(titles)).toBe(tally.added);
  expect(await runToolInProcess(catalogImport, [path])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`0 new, 0 changed, ${tally.added} unchanged`),
    stderr: expect.stringContaining("is incomplete or damaged"),
  });
});

test.each([
  ["Caf\u00e9", "latin1", /title: is not written in UTF-8/],
  ["Caf\u00e9", "utf16le", /is not valid JSON/],
] as const)("%s in %s is rejected, not stored with wrong letters", async (title, encoding, reason) => {
  const path = file("encoding.ndjson", Buffer.from(lines([{ mal_id: 7, title }]), encoding));
  const report = await importFile(path);
  expect(report.titles.added).toBe(0);
  expect(report.rejected[0]?.reason).toMatch(reason);
});

test("a title with an unsafe URL, an invisible name or a too long text is rejected", async () => {
  const odd = [
    { url: "javascript:alert(1)" },
    { image_url: "data:text/html,x" },
    { trailer_embed_url: " JavaScript:alert(1)" },
    { banner_image: "//elsewhere.example/x.png" },
    { title: "x".repeat(501) },
    { title: "\0" },
    { title: "\u200b \u200e" },
    { title_synonyms: ["x".repeat(501)] },
    { synopsis: "x".repeat(100_001) },
  ].map((fields, at) => ({ mal_id: at + 1, title: "Odd", ...fields }));
  const report = await importFile(
    file("odd.ndjson", lines([...odd, { mal_id: 90, title: "Fine", url: "" }])),
  );
  expect(report.rejected.map(({ reason }) => reason.split(/[:.]/)[0])).toEqual(
    odd.map((fields) => (Object.keys(fields).at(-1) === "title" ? "title" : Object.keys(fields)[2])),
  );
  expect(report.rejected[0]?.reason).toBe("url: must start with http://, https://, / or media:");
  expect(await db.select({ id: titles.malId }).from(titles)).toEqual([{ id: 90 }]);
});

test("an export imported into an empty catalog gives the same export", async () => {
  await importTitles([
    ...filmRecords,
    ...generatedTitles(600, 100),
    { mal_id: 9, title: "Adult", genres: ["Hentai"] },
  ]);
  const first = await exportedText();
  await db.delete(titles);
  const report = await importFile(file("all.ndjson.gz", gzipSync(first)), { includeAdult: true });
  expect([report.rejectedCount, report.titles.added]).toEqual([0, 603]);
  expect(withoutSources(await exportedText())).toBe(withoutSources(first));
  expect(
    (await importFile(file("all.ndjson.gz", gzipSync(first)), { includeAdult: true })).titles.unchanged,
  ).toBe(603);
});

test("the text of an episode with an unknown source is only in an export with texts, and a copy does not pass it on", async () => {
  await importTitles([
    { mal_id: 1, title: "One" },
    { kind: "episode", mal_id: 1, number: 2, description: "Our text" },
  ]);
  await db.insert(episodes).values({ malId: 1, number: 1, description: "Somebody's text" });
  const texts = (text: string) =>
    [...text.matchAll(/"description":("[^"]*"|null),"date"/g)].map(([, said]) => JSON.parse(said ?? ""));
  expect(texts(await exportedText())).toEqual([null, "Our text"]);
  const whole = await exportedText({ withTexts: true });
  expect(texts(whole)).toEqual(["Somebody's text", "Our text"]);
  await db.delete(titles);
  await importFile(file("whole.ndjson", whole));
  expect(texts(await exportedText({ withTexts: true }))).toEqual(["Somebody's text", "Our text"]);
  expect(texts(await exportedText())).toEqual([null, "Our text"]);
});

test("two imports of the same titles at once both finish and store each title once", async () => {
  const records = generatedTitles(600);
  const [a, b] = await Promise.all([importTitles(records), importTitles(records.toReversed())]);
  expect(
    a.titles.added +
      b.titles.added +
      a.titles.unchanged +
      b.titles.unchanged +
      a.titles.changed +
      b.titles.changed,
  ).toBe(1200);
  expect(await db.$count(titles)).toBe(600);
});

const importTool = (...words: string[]) => runToolInProcess(catalogImport, words);

test("catalog-import reports in words or JSON with exit codes, and catalog-export prints only data", async () => {
  const path = file("cli.ndjson", lines([generatedTitle(1), { mal_id: 2 }]));
  const words = await spawnTool("catalog-import", [path]);
  expect(words.stdout).toMatch(/1 new, 0 changed, 0 unchanged[\s\S]*rejected: 1\n {4}line 2: title: /);
  expect(words.code).toBe(0);
  const other = file("cli-2.ndjson", lines([{ ...generatedTitle(1), score: 1.5 }, generatedTitle(2)]));
  expect((await importTool("--dry-run", other)).stdout).toMatch(
    /1 would be new, 1 would be changed[^\n]*\n {4}\d+ .*: score would change\n {4}\d+ .*: new\n/,
  );
  const { stdout } = await importTool("--json", "--dry-run", path);
  expect(JSON.parse(stdout)).toMatchObject([{ source: path, titles: { unchanged: 1 }, rejectedCount: 1 }]);
  expect(await spawnTool("catalog-import", ["/nowhere"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "/nowhere cannot be read (ENOENT)\n",
  });
  await expect(importTool(folder)).rejects.toMatchObject({
    name: "CannotStart",
    message: `${folder} is a folder`,
  });
  expect(await importTool()).toMatchObject({ code: 2, stdout: "" });
  expect(await importTool("--nonsense", path)).toMatchObject({ code: 2 });
  expect(await runToolInProcess(catalogExport, ["--nonsense"])).toMatchObject({ code: 2 });
  const foreign = file("cli.txt", "root:x:0:0\nno catalog at all\n");
  expect(await importTool(foreign)).toMatchObject({ code: 1 });
  expect(await spawnTool("catalog-export", [])).toEqual({
    code: 0,
    stdout: await exportedText(),
    stderr: "",
  });
  const target = join(folder, "out.ndjson.gz");
  expect(await runToolInProcess(catalogExport, [target])).toMatchObject({ code: 0 });
  expect(gunzipSync(readFileSync(target)).toString()).toBe(await exportedText());
});
