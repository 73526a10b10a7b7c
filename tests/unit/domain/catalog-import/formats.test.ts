import { expect, test } from "vitest";
import { recordsOf } from "#app/domain/catalog-import/formats.ts";

const read = (value: Record<string, unknown>) =>
  [...recordsOf(value, "here")].map((one) => ("record" in one ? one.record : one.rejected));

const jikan = {
  mal_id: 5,
  url: "https://myanimelist.net/anime/5",
  images: {
    jpg: { image_url: "https://example.org/5.jpg" },
    webp: { image_url: "https://example.org/5.webp" },
  },
  trailer: { youtube_id: "abc", url: null },
  titles: [
    { type: "Default", title: "Tengoku no Tobira" },
    { type: "Synonym", title: "The Door" },
    { type: "English", title: "The Movie" },
  ],
  type: "Movie",
  episodes: 1,
  status: "Finished Airing",
  aired: { from: "2001-09-01T00:00:00+00:00", to: null },
  duration: "1 hr 55 min",
  rating: "R - 17+ (violence & profanity)",
  score: 8.38,
  season: null,
  year: null,
  broadcast: { day: "Saturdays", time: "18:00", timezone: "Asia/Tokyo" },
  genres: [
    { mal_id: 1, type: "anime", name: "Action" },
    { mal_id: 99, name: "Unheard Of" },
  ],
  explicit_genres: [],
  themes: [{ name: "Space" }],
  studios: [{ name: "Bones" }],
  relations: [
    { relation: "Parent Story", entry: [{ mal_id: 1, type: "anime", name: "Cowboy Bebop" }] },
    { relation: "Adaptation", entry: [{ mal_id: 9, type: "manga", name: "Manga" }] },
  ],
};

test("a Jikan object becomes a title and its relations", () => {
  expect(read(jikan)).toMatchObject([
    {
      kind: "title",
      malId: 5,
      title: "Tengoku no Tobira",
      titleEnglish: "The Movie",
      titleSynonyms: ["The Door"],
      type: "Movie",
      airedFrom: new Date("2001-09-01"),
      rating: "r",
      year: 2001,
      broadcastDay: "Saturday",
      broadcastTime: "18:00",
      imageUrl: "https://example.org/5.jpg",
      youtubeId: "abc",
      genres: ["Action"],
      themes: ["Space", "Unheard Of"],
      studios: ["Bones"],
    },
    { kind: "relation", from: 5, to: 1, relation: "parent_story", name: "Cowboy Bebop" },
  ]);
});

test.each([
  ["Sequel", "sequel"],
  ["Spin-off", "spin_off"],
  ["Spin-Off", "spin_off"],
  ["Alternative setting", "alternative_setting"],
])("Jikan's relation %s is read as %s", (relation, kind) => {
  const relations = [{ relation, entry: [{ mal_id: 1, type: "anime", name: "Cowboy Bebop" }] }];
  expect(read({ ...jikan, relations })[1]).toMatchObject({ kind: "relation", relation: kind });
});

test("a relation of a kind that the catalog does not have is left out", () => {
  const relations = [{ relation: "constructor", entry: [{ mal_id: 1, type: "anime", name: "A" }] }];
  expect(read({ ...jikan, relations })).toHaveLength(1);
});

test("a title that Jikan knows to begin in a month or a year has no first day", () => {
  const announced = (string: string, day: number | null = 1) => {
    const aired = { from: "2026-04-01T00:00:00+00:00", to: null, prop: { from: { day } }, string };
    return read({ ...jikan, status: "Not yet aired", aired, relations: [] });
  };
  for (const record of [
    announced("2026 to ?"),
    announced("Apr 2026 to ?"),
    announced("Apr 2026"),
    announced("Apr 1, 2026 to ?", null),
  ])
    expect(record).toMatchObject([{ airedFrom: null, year: 2026 }]);
  expect(announced("Apr 1, 2026 to ?")).toMatchObject([{ airedFrom: new Date("2026-04-01") }]);
});

const offline = {
  sources: ["https://anidb.net/anime/23", "https://myanimelist.net/anime/1"],
  title: "Cowboy Bebop",
  type: "TV",
  episodes: 26,
  status: "FINISHED",
  animeSeason: { season: "SPRING", year: 1998 },
  picture: "https://example.org/1.jpg",
  duration: { value: 1440, unit: "SECONDS" },
  score: { arithmeticMean: 8.6234 },
  synonyms: ["カウボーイビバップ"],
  studios: ["sunrise"],
  tags: ["action", "science fiction", "space", "seinen"],
};

test("an object of anime-offline-database becomes a title, and an object without a MyAnimeList id is rejected", () => {
  expect(read(offline)).toMatchObject([
    {
      malId: 1,
      title: "Cowboy Bebop",
      type: "TV",
      status: "Finished Airing",
      season: "Spring",
      year: 1998,
      duration: "24 min per ep",
      rating: null,
      score: 8.62,
      studios: ["Sunrise"],
      genres: ["Action", "Sci-Fi"],
      themes: ["Space"],
      demographics: ["Seinen"],
    },
  ]);
  expect(read({ ...offline, tags: ["comedy", "hentai"] })).toMatchObject([
    { rating: "rx", genres: ["Hentai", "Comedy"] },
  ]);
  expect(read({ ...offline, sources: ["https://anilist.co/anime/1"] })).toEqual(["has no MyAnimeList id"]);
  expect(read({ license: {}, repository: "x", lastUpdate: "2025-01-01" })).toEqual([]);
});

test("a record of our own format is read with and without a kind", () => {
  expect(read({ mal_id: 1, title: "A", rating: "PG-13", broadcast_day: "Sundays" })).toMatchObject([
    { kind: "title", rating: "pg-13", broadcastDay: "Sunday", titleSynonyms: [], approved: true },
  ]);
  expect(read({ kind: "skip", mal_id: 1, number: 1, segment: "intro", start: 0, end: 90 })).toMatchObject([
    { kind: "skip", segment: "intro" },
  ]);
});

test("an unknown time zone counts as none", () => {
  const zones = (...names: string[]) =>
    names.flatMap((broadcast_timezone) => read({ mal_id: 1, title: "A", broadcast_timezone }));
  expect(zones("GMT+9", "Asia/Tokyo")).toMatchObject([
    { broadcastTimezone: null },
    { broadcastTimezone: "Asia/Tokyo" },
  ]);
});

test.each([
  [{ mal_id: 1 }, /^title: /],
  [{ mal_id: 0, title: "A" }, /^mal_id: /],
  [{ mal_id: 1, title: "A", title_english: "A".repeat(501) }, /^title_english: /],
  [{ mal_id: 1, title: "A", type: "Film" }, /^type: must be one of TV/],
  [{ mal_id: 1, title: "A", score: 11 }, /^score: /],
  [{ mal_id: 1, title: "A", aired_from: "soon" }, /^aired_from: /],
  [{ mal_id: 1, title: "A", aired_from: "2001-W35-6" }, /^aired_from: must name the day by month and day/],
  [{ mal_id: 1, title: "A", rating: "X" }, /^rating: must be one of g, pg/],
  [{ kind: "source", mal_id: 1, number: 1, url: "javascript:alert(1)", type: "hls" }, /^url: /],
  [{ kind: "source", mal_id: 1, number: 1, url: "//elsewhere", type: "hls" }, /^url: /],
  [
    { kind: "skip", mal_id: 1, number: 1, segment: "intro", start: 9, end: 9 },
    /^end: must be after the start/,
  ],
  [{ kind: "relation", from: 1, to: 2, relation: "twin" }, /^relation: must be one of/],
  [{ kind: "surprise" }, /kind: /],
])("%o is rejected with the reason %s", (value, reason) => {
  expect(read(value)).toEqual([expect.stringMatching(reason)]);
});
