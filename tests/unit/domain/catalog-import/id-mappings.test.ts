import { expect, test } from "vitest";
import { readRecords } from "#app/domain/catalog-import/read-source.server.ts";

async function read(...chunks: string[]) {
  const found: unknown[] = [];
  async function* text() {
    yield* chunks;
  }
  for await (const one of readRecords(text())) found.push("record" in one ? one.record : one);
  return found;
}

const ids = (
  malId: number | null,
  of: object | null,
  ...externalIds: [string, string, (number | null)?][]
) => ({
  kind: "ids",
  malId,
  of,
  externalIds: externalIds.map(([site, id, season = null]) => ({ site, id, season })),
});

test("a list with one field per site yields the ids of its titles", async () => {
  const entries = [
    {
      type: "TV",
      anidb_id: 23,
      anilist_id: 1,
      "anime-planet_id": "cowboy-bebop",
      animenewsnetwork_id: 13,
      imdb_id: ["tt0213338"],
      mal_id: 1,
      themoviedb_id: { tv: 30991 },
      tvdb_id: 76885,
      season: { tvdb: 1, tmdb: 1 },
    },
    { type: "MOVIE", anidb_id: 7, imdb_id: "tt0119698", themoviedb_id: 128, thetvdb_id: "movie" },
    { type: "TV", livechart_id: 5 },
  ];
  expect(await read(JSON.stringify(entries))).toEqual([
    ids(
      1,
      null,
      ["anidb", "23"],
      ["anilist", "1"],
      ["anime-planet", "cowboy-bebop"],
      ["ann", "13"],
      ["imdb", "tt0213338"],
      ["tvdb", "76885", 1],
      ["tmdb-tv", "30991", 1],
    ),
    ids(
      null,
      { site: "anidb", id: "7", season: null },
      ["anidb", "7"],
      ["imdb", "tt0119698"],
      ["tmdb-movie", "128"],
    ),
  ]);
});

test("an object with AniDB ids as keys yields the ids of every title in it", async () => {
  const entries = {
    "11": {
      tvdb_id: 70900,
      tvdb_season: 0,
      imdb_id: "tt1,tt7941838",
      mal_id: "821,822",
      tmdb_movie_id: 327796,
    },
  };
  const sites = [
    ["anidb", "11"],
    ["imdb", "tt7941838"],
    ["tvdb", "70900", 0],
    ["tmdb-movie", "327796"],
  ] as [string, string, number?][];
  expect(await read(JSON.stringify(entries, null, 2))).toEqual([
    { ...ids(821, null), externalIds: expect.arrayContaining(ids(821, null, ...sites).externalIds) },
    expect.objectContaining({ malId: 822 }),
  ]);
});

test("the XML maps AniDB ids to other ids, and words in place of ids are ignored", async () => {
  const xml = `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<anime-list>
  <anime anidbid="3" tvdbid="70973" defaulttvdbseason="2" tmdbtv="62913" tmdbseason="2" tmdbid="" imdbid="">
    <name>Three</name><mapping-list><mapping anidbseason="0" tvdbseason="0">;1-0;</mapping></mapping-list>
  </anime>
  <anime anidbid="7" tvdbid="movie" defaulttvdbseason="" tmdbid="128,129" imdbid="tt0119698"><name>Seven</name></anime>
  <anime anidbid="8" tvdbid="unknown" defaulttvdbseason="a"><name>Eight</name></anime>
</anime-list>`;
  const expected = [
    ids(null, { site: "anidb", id: "3", season: null }, ["tvdb", "70973", 2], ["tmdb-tv", "62913", 2]),
    ids(
      null,
      { site: "anidb", id: "7", season: null },
      ["tmdb-movie", "128"],
      ["tmdb-movie", "129"],
      ["imdb", "tt0119698"],
    ),
  ];
  expect(await read(xml)).toEqual(expected);
  expect(await read(...xml)).toEqual(expected);
});

test.each([
  ["a document type", "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><anime-list/>", "it has a DOCTYPE"],
  ["an open tag without end", `<anime-list><anime ${"x".repeat(30_000)}`, "a tag is too long"],
  ["a cut file", '<anime-list><anime anidbid="1" tvdbid="2">', "unclosed tag"],
])("XML with %s is reported and not read further", async (_, xml, reason) => {
  expect(await read(...(xml.match(/.{1,9000}/gs) ?? []))).toContainEqual({
    where: expect.stringMatching(/^after entry \d$/),
    rejected: expect.stringContaining(reason),
  });
});
