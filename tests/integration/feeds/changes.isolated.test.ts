import { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { beforeEach, expect, test } from "vitest";

/** The changes of this catalog, as another Engawa reads them. */

const token = "a token of twenty letters";
process.env.CATALOG_SHARE = "token";
process.env.FILMS = "members";
process.env.CATALOG_SHARE_TOKEN = `another token of theirs, ${token}`;

const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { titleChanges } = await import("#db/schema/catalog-state.ts");
const { editTitle, hideTitle, unhideTitle } = await import(
  "#app/domain/catalog-editing/catalog-editing.server.ts"
);
const { renewCatalogIdentity } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { replaceSkips } = await import("#app/domain/playback/playback.server.ts");
const { openChanges } = await import("#app/domain/catalog-sharing/catalog-sharing.server.ts");
const { shareCatalog } = await import("#app/domain/feeds/feeds.server.ts");
const { someUser } = await import("#tests/support/data/database-rows.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { request } = await import("#tests/support/site/in-process.ts");

type Line = Record<string, unknown> & { kind: string };

const someOperator = async () => ({ kind: "operator", ip: null, operatorId: await someUser() }) as const;

const ask = (since = "", authorization = `Bearer ${token}`) =>
  request(`/api/catalog/changes?since=${since}`, { headers: { Authorization: authorization } });

const read = async (since = "") => parse(await (await ask(since)).text());

function parse(text: string) {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  return {
    catalogs: lines[0]?.catalogs as string[],
    titles: lines.filter(({ kind }) => kind === "title"),
    adult: lines.filter(({ kind }) => kind === "adult"),
    others: lines.filter(
      ({ kind }) => !["changes", "title", "adult", "relations", "position", "end"].includes(kind),
    ),
    relations: lines.filter(({ kind }) => kind === "relations"),
    end: lines.at(-1) as unknown as { kind: string; since: string; more: boolean },
  };
}
const namesIn = (lines: readonly Line[]) => lines.map(({ title }) => title);

beforeEach(async () => {
  await db.delete(titles);
  await db.delete(titleChanges);
});

test("a reader without a token, or with a wrong one, gets 401; with the token, the whole catalog", async () => {
  await importTitles([{ mal_id: 1, title: "One" }]);
  for (const authorization of ["", "Bearer", `Bearer ${token}x`, "Basic x"])
    expect((await ask("", authorization)).status).toBe(401);
  const answer = await ask();
  expect([answer.status, answer.headers.get("Content-Type"), answer.headers.get("Cache-Control")]).toEqual([
    200,
    "application/x-ndjson",
    "no-store",
  ]);
  const { end, titles: found } = await read();
  expect(namesIn(found)).toEqual(["One"]);
  expect(end).toMatchObject({ kind: "end", more: false });
});

test("a reader that continues from its position gets only later changes, and none twice", async () => {
  await importTitles([1, 2, 3].map((malId) => ({ mal_id: malId, title: `Title ${malId}` })));
  const first = await read();
  expect((await read(first.end.since)).titles).toEqual([]);
  await importTitles([
    { mal_id: 2, title: "Title 2", score: 8 },
    { mal_id: 3, title: "Title 3" },
    {
      kind: "episode",
      mal_id: 1,
      number: 2,
      title: "New",
      description: "Somebody's text",
      date: "2026-01-02",
    },
  ]);
  const next = await read(first.end.since);
  expect(namesIn(next.titles)).toEqual(["Title 2", "Title 1"]);
  expect(next.others).toEqual([
    { kind: "episode", mal_id: 1, number: 2, title: "New", date: "2026-01-02T00:00:00.000Z", duration: null },
  ]);
  expect((await read(next.end.since)).titles).toEqual([]);
});

test("a position of another or restored catalog, or no position, starts from the beginning", async () => {
  await importTitles([{ mal_id: 1, title: "One" }]);
  const { end, catalogs } = await read();
  for (const since of ["nonsense", end.since.replace(/^./, (one) => (one === "0" ? "1" : "0"))])
    expect(namesIn((await read(since)).titles)).toEqual(["One"]);
  await renewCatalogIdentity();
  const after = await read(end.since);
  expect(namesIn(after.titles)).toEqual(["One"]);
  expect(after.catalogs).not.toEqual(catalogs);
});

test("a catalog larger than one answer is read in several", async () => {
  const malIds = Array.from({ length: 150 }, (_, at) => at + 1);
  await db.insert(titles).values(malIds.map((malId) => ({ malId, title: "Title", titleKey: "title" })));
  await db.insert(titleChanges).values(malIds.map((malId) => ({ malId, version: 1 })));
  const first = parse(await readAll(Readable.from(shareCatalog("", 100))));
  expect([first.titles.length, first.end.more]).toEqual([100, true]);
  const rest = await read(first.end.since);
  expect([rest.titles.length, rest.end.more]).toEqual([50, false]);
});

test("unshareable texts and pictures, and hidden, adult, played or local data, are left out", async () => {
  await importTitles([
    {
      mal_id: 1,
      titles: [{ type: "Default", title: "Of Jikan" }],
      synopsis: "Their text",
      score: 7,
      images: { jpg: { image_url: "https://cdn.example/1.jpg" } },
      relations: [{ relation: "Sequel", entry: [{ mal_id: 3, type: "anime", name: "Hidden" }] }],
    },
    {
      sources: ["https://myanimelist.net/anime/2", "https://anidb.net/anime/9"],
      title: "Of the Database",
      animeSeason: {},
      tags: [],
      picture: "https://cdn.example/2.jpg",
      status: "FINISHED",
    },
    { mal_id: 3, title: "Hidden" },
    { mal_id: 4, title: "Adult", rating: "rx" },
    { mal_id: 900_000_005, title: "Local" },
    { kind: "source", mal_id: 2, number: 1, url: "media:Secret Film.mkv", type: "file" },
    { kind: "subtitle", mal_id: 2, number: 1, url: "https://a.example/s.vtt", language: "en" },
    { kind: "relation", from: 2, to: 900_000_005, relation: "sequel", name: "Local" },
    { kind: "relation", from: 2, to: 4, relation: "sequel", name: "Adult" },
  ]);
  await hideTitle(3, await someOperator());
  const { titles: changed, others, adult } = await read();
  const found = changed.sort((one, other) => Number(one.mal_id) - Number(other.mal_id));
  expect(found).toMatchObject([
    { title: "Of Jikan", score: 7 },
    { title: "Of the Database", image_url: "https://cdn.example/2.jpg", external_ids: ["anidb:9"] },
  ]);
  expect(Object.keys(found[0] ?? {})).not.toEqual(expect.arrayContaining(["synopsis"]));
  expect(found[0]).not.toHaveProperty("image_url");
  // Not even the episode's existence, which is known only through this site's film.
  expect(others).toEqual([]);
  expect(adult).toEqual([{ kind: "adult", mal_id: 4, rating: "Rx - Hentai" }]);
  const text = await (await ask()).text();
  for (const secret of ["Secret", "Hidden", "Adult", "Local", "Their text"])
    expect(text).not.toContain(secret);
});

test("a title that becomes adult is sent once more without its texts, as are relations to it", async () => {
  await importTitles([
    { mal_id: 1, title: "One" },
    { mal_id: 2, title: "Two", synopsis: "Text" },
    { kind: "relation", from: 1, to: 2, relation: "sequel" },
  ]);
  const operator = await someOperator();
  let last = await read();
  const next = async () => (last = await read(last.end.since));
  const list = (only: object[]) => [{ kind: "relations", from: 1, only }];
  await editTitle(2, [{ field: "rating", word: { rating: "rx" } }], operator);
  expect(await next()).toMatchObject({
    adult: [{ kind: "adult", mal_id: 2, rating: "Rx - Hentai" }],
    relations: list([]),
  });
  await editTitle(2, [{ field: "rating", word: null }], operator);
  expect((await next()).relations).toMatchObject([{ from: 1, only: [{ to: 2 }] }, { from: 2 }]);
  await hideTitle(2, operator);
  expect((await next()).relations).toEqual(list([]));
  await unhideTitle(2, operator);
  expect((await next()).relations[0]).toMatchObject({ from: 1, only: [{ to: 2 }] });
  await importTitles([{ mal_id: 2, title: "Two", genres: ["Hentai"] }], { includeAdult: false });
  expect(await next()).toMatchObject({ adult: [{ mal_id: 2, genres: ["Hentai"] }], relations: list([]) });
});

test("a title that is shown again comes with the next changes", async () => {
  await importTitles([{ mal_id: 1, title: "One" }]);
  const operator = await someOperator();
  await hideTitle(1, operator);
  const { end } = await read();
  await unhideTitle(1, operator);
  expect(namesIn((await read(end.since)).titles)).toEqual(["One"]);
});

test("a relation that the operator removes disappears from the title's relations", async () => {
  await importTitles([
    { mal_id: 1, title: "One" },
    { kind: "relation", from: 1, to: 5, relation: "sequel", name: "The film" },
    { kind: "relation", from: 1, to: 6, relation: "prequel" },
  ]);
  const { end, relations } = await read();
  const prequel = { to: 6, relation: "prequel" };
  expect(relations).toEqual([{ kind: "relations", from: 1, only: [prequel, { to: 5, relation: "sequel" }] }]);
  const operator = await someOperator();
  await editTitle(1, [{ field: "relation 5 sequel", word: { isPresent: false } }], operator);
  const next = await read(end.since);
  expect(next.relations).toEqual([{ kind: "relations", from: 1, only: [prequel] }]);
  expect(next.others).toEqual([{ kind: "relation", from: 1, ...prequel }]);
});

test("where films are for members, skip segments are left out, and setting them counts as no change", async () => {
  await importTitles([
    { mal_id: 1, title: "One" },
    { kind: "skip", mal_id: 1, number: 1, segment: "intro", start: 1, end: 90 },
  ]);
  const first = await read();
  expect(first.others).toEqual([]);
  const skips = [{ kind: "outro", start: 100, end: 160 } as const];
  expect((await replaceSkips({ malId: 1, episode: 2 }, skips)).ok).toBe(true);
  expect((await read(first.end.since)).titles).toEqual([]);
});

test("a page has at most half a MiB of titles, however many of them changed", async () => {
  const synopsis = "s".repeat(90_000);
  await importTitles(
    Array.from({ length: 20 }, (_, at) => ({ mal_id: 1 + at, title: `Title ${at}`, synopsis })),
  );
  const nextPage = await openChanges({ version: 0, malId: 0 });
  const sizes: number[] = [];
  for (let page = await nextPage(); page !== null; page = await nextPage()) sizes.push(page.titles);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
  expect((await read()).titles).toHaveLength(20);
});
