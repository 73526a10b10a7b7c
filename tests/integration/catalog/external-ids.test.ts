import { beforeEach, expect, test } from "vitest";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titleIds, titles } from "#db/schema/catalog.ts";
import { exportedText, importJson, importText, withoutSources } from "#tests/support/data/catalog-text.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { request } from "#tests/support/site/in-process.ts";

beforeEach(async () => {
  await db.delete(titles);
});

const idsOf = async (malId: number) =>
  (await db.select().from(titleIds))
    .filter((row) => row.malId === malId)
    .map(({ site, externalId, season }) => [site, externalId, ...(season === null ? [] : [season])].join(":"))
    .sort();

const offline = (malId: number, title: string, more: { sources?: string[]; relatedAnime?: string[] }) => ({
  title,
  type: "TV",
  episodes: 1,
  status: "FINISHED",
  animeSeason: { season: "SPRING", year: 1998 },
  synonyms: [],
  tags: [],
  relatedAnime: more.relatedAnime ?? [],
  sources: [`https://myanimelist.net/anime/${malId}`, ...(more.sources ?? [])],
});
const mal = (malId: number) => `https://myanimelist.net/anime/${malId}`;
const database = {
  license: {},
  data: [
    offline(1, "Bebop", {
      sources: ["https://anidb.net/anime/23", "https://kitsu.app/anime/1", "https://example.org/anime/9"],
      relatedAnime: [mal(5), mal(4037), "https://anidb.net/anime/9999"],
    }),
    offline(5, "The Door", { sources: ["https://anidb.net/anime/219"], relatedAnime: [mal(1)] }),
  ],
};

const listed = async (query: string) => {
  const response = await request(`/api/animes/full?${query}`);
  const body = (await response.json()) as { data: { mal_id: number }[] };
  return body.data.map(({ mal_id }) => mal_id).sort();
};

test("the offline database gives ids and relations between known titles, and a second import changes nothing", async () => {
  expect(await importJson(database)).toMatchObject({
    titles: { added: 2 },
    details: { added: 2 },
    notInCatalog: 1,
    rejectedCount: 0,
  });
  expect(await idsOf(1)).toEqual(["anidb:23", "kitsu:1"]);
  expect(await importJson(database)).toMatchObject({
    titles: { added: 0, changed: 0, unchanged: 2 },
    details: { added: 0, changed: 0, unchanged: 2 },
  });
  const answer = (await (await request("/api/animes/getAnime?id=1")).json()) as { data: object };
  expect(answer.data).toMatchObject({
    relations: [{ relation: "other", mal_id: 5, title: "The Door" }],
    external_ids: [
      { site: "anidb", id: "23", season: null, url: "https://anidb.net/anime/23" },
      { site: "kitsu", id: "1", season: null, url: "https://kitsu.app/anime/1" },
    ],
  });
});

test("a relation whose kind a source knows replaces one of unknown kind, in either order", async () => {
  const relations = async () => {
    const found = await getTitle(1, anybody);
    return found.ok && found.value.relations.map(({ relation, malId }) => [relation, malId]);
  };
  await importJson(database);
  const known = [{ kind: "relation", from: 1, to: 5, relation: "side_story" }];
  await importTitles(known);
  expect(await relations()).toEqual([["side_story", 5]]);
  await db.delete(titles);
  await importTitles([{ mal_id: 1, title: "Bebop" }, { mal_id: 5, title: "The Door" }, ...known]);
  await importJson(database);
  expect(await relations()).toEqual([["side_story", 5]]);
});

test("Jikan's external sites give ids, and its later answer replaces the ids of the sites it names", async () => {
  const jikan = (...urls: string[]) => ({
    mal_id: 1,
    titles: [{ type: "Default", title: "Bebop" }],
    external: urls.map((url) => ({ name: "Site", url })),
  });
  const page = (aid: number) => `https://anidb.net/perl-bin/animedb.pl?show=anime&aid=${aid}`;
  await importJson({ data: jikan(page(22), "https://www.cowboy-bebop.net/") });
  await importTitles([{ mal_id: 1, title: "Bebop", external_ids: ["kitsu:1"] }]);
  const again = await importJson({ data: jikan(page(23)) });
  expect(again.titles).toEqual({ added: 0, changed: 1, unchanged: 0 });
  expect(again.changes).toEqual([{ malId: 1, title: "Bebop", changed: ["external_ids"] }]);
  expect(await idsOf(1)).toEqual(["anidb:23", "kitsu:1"]);
});

const xml = `<?xml version="1.0"?><anime-list>
<anime anidbid="23" tvdbid="76885" defaulttvdbseason="1" tmdbtv="30991" tmdbseason="1" tmdbid="" imdbid=""/>
<anime anidbid="24" tvdbid="1" defaulttvdbseason="1"/></anime-list>`;

test("an AniDB mapping adds ids to the titles that have them and counts the other entries", async () => {
  await importJson(database);
  expect(await importText(xml)).toMatchObject({
    details: { added: 0, changed: 1 },
    notInCatalog: 1,
    rejectedCount: 0,
  });
  expect(await idsOf(1)).toEqual(["anidb:23", "kitsu:1", "tmdb-tv:30991:1", "tvdb:76885:1"]);
  expect((await importText(xml)).details).toEqual({ added: 0, changed: 0, unchanged: 1 });
});

test("a title that a mapping names twice gets the ids of both entries", async () => {
  await importTitles([{ mal_id: 1, title: "Bebop" }]);
  const list = [
    { mal_id: 1, anidb_id: 23, tvdb_id: 76885, season: { tvdb: 1 } },
    { mal_id: 1, anidb_id: 24, tvdb_id: 76886 },
    { mal_id: 77, anidb_id: 25 },
  ];
  expect(await importJson(list)).toMatchObject({ details: { changed: 1 }, notInCatalog: 1 });
  expect(await idsOf(1)).toEqual(["anidb:23", "anidb:24", "tvdb:76885:1", "tvdb:76886"]);
  expect((await importJson(list)).details).toEqual({ added: 0, changed: 0, unchanged: 1 });
});

test("an id that moved to another title follows; one claimed by two titles stays with the first and is reported", async () => {
  const claim = (malId: number, ...ids: string[]) => ({
    mal_id: malId,
    title: `T${malId}`,
    external_ids: ids,
  });
  await importTitles([claim(1, "anidb:5", "tvdb:9"), claim(2, "anidb:6", "tvdb:9")]);
  expect((await importTitles([claim(2, "anidb:5"), claim(1, "anidb:7")])).rejectedCount).toBe(0);
  expect([await idsOf(1), await idsOf(2)]).toEqual([
    ["anidb:7", "tvdb:9"],
    ["anidb:5", "tvdb:9"],
  ]);
  const both = [claim(1, "anidb:5"), claim(3, "anidb:5")];
  const report = await importText(both.map((one) => JSON.stringify(one)).join("\n"));
  expect(report.rejected).toEqual([
    { where: "title 1", reason: "anidb:5 is the id of title 2" },
    { where: "title 3", reason: "anidb:5 is the id of title 2" },
  ]);
  expect(await importJson(claim(4, "anidb:5"), { dryRun: true })).toMatchObject({ rejectedCount: 1 });
});

test("external= finds titles by their ids, all seasons or one", async () => {
  await importTitles([
    { mal_id: 1, title: "One", external_ids: ["anidb:23", "tvdb:9:1"] },
    { mal_id: 2, title: "Two", external_ids: ["anidb:24", "tvdb:9:2"] },
    { mal_id: 3, title: "Three", external_ids: ["anidb:25"], rating: "Rx - Hentai" },
  ]);
  expect(await listed("external=anidb:23")).toEqual([1]);
  expect(await listed("external=AniDB:23,anidb:24,anidb:99")).toEqual([1, 2]);
  expect(await listed("external=anidb:23&external=anidb:24")).toEqual([1, 2]);
  expect(await listed("external=tvdb:9")).toEqual([1, 2]);
  expect(await listed("external=tvdb:9:2")).toEqual([2]);
  expect(await listed("external=anidb:25"), "a mature title stays hidden").toEqual([]);
  expect(await listed("external=anidb:23&search_query=two")).toEqual([]);
  const random = await request("/api/animes/random?external=anidb:24");
  expect(await random.json()).toMatchObject({ data: { mal_id: 2 } });
});

test.each([
  ["mal:1", /must be one of anidb, anilist, .*tvdb, not "mal:1"/],
  ["anidb:abc", /must be a site and an id, such as anidb:4563, not "anidb:abc"/],
  ["anidb:23:1", /must be a site and an id/],
])("external=%s gets 400", async (value, reason) => {
  const response = await request(`/api/animes/full?external=${value}`);
  expect(response.status).toBe(400);
  expect(JSON.stringify(await response.json())).toMatch(
    new RegExp(reason.source.replaceAll('"', String.raw`\\?"`)),
  );
});

test("an export contains ids, and an import of it restores them", async () => {
  await importTitles([
    { mal_id: 1, title: "One", external_ids: ["tvdb:9:0", "anidb:23", "anime-planet:one"] },
    { mal_id: 2, title: "Two" },
  ]);
  const first = await exportedText();
  expect(first).toContain('"external_ids":["anidb:23","anime-planet:one","tvdb:9:0"]');
  await db.delete(titles);
  await importText(first);
  expect(withoutSources(await exportedText())).toBe(withoutSources(first));
});

test("an id of an unknown site is left out, and an id of the wrong form rejects its line", async () => {
  const report = await importText(
    [
      { mal_id: 1, title: "One", external_ids: ["later-site:1", "anidb:23"] },
      { mal_id: 2, title: "Two", external_ids: ["anidb:<script>"] },
    ]
      .map((one) => JSON.stringify(one))
      .join("\n"),
  );
  expect(report).toMatchObject({ titles: { added: 1 }, rejectedCount: 1 });
  expect(report.rejected[0]?.reason).toContain("must be a site and an id");
  expect(await idsOf(1)).toEqual(["anidb:23"]);
});

test("the page of a title links to the other sites", async () => {
  await importTitles([{ mal_id: 1, title: "One", external_ids: ["anidb:23", "tvdb:9:0"] }]);
  const html = await (await request("/anime/1/one")).text();
  expect(html).toContain('<a href="https://anidb.net/anime/23" rel="noreferrer">AniDB</a>');
  expect(html).toContain(">TheTVDB (specials)</a>");
});
