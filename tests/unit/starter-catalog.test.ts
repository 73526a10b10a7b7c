import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  airingStatuses,
  genres,
  inverseRelations,
  matureGenres,
  type RelationKind,
  ratingLabels,
  seasons,
  titleTypes,
  weekdays,
} from "#db/schema/enumerations.ts";

interface CatalogRecord {
  kind: string;
  [field: string]: unknown;
}

interface TitleRecord extends CatalogRecord {
  mal_id: number;
  title: string;
  title_english: string | null;
  title_japanese: string;
  title_synonyms: string[];
  type: string;
  episodes: number | null;
  year: number;
  season: string | null;
  rating: string | null;
  synopsis: string;
  aired_from: string;
  aired_to: string | null;
  broadcast_day: string | null;
  broadcast_time: string | null;
  broadcast_timezone: string | null;
  genres: string[];
}

const folder = join(import.meta.dirname, "../../db/starter-catalog");
const filmId = 900000001;
const hidden = new Set<string>(matureGenres);

const words = {
  types: new Set<unknown>(titleTypes),
  statuses: new Set<unknown>(airingStatuses),
  ratings: new Set<unknown>([
    null,
    ...Object.values(ratingLabels).filter((label) => label !== ratingLabels.rx),
  ]),
  seasons: new Set<unknown>([null, ...seasons]),
  weekdays: new Set<unknown>(weekdays),
  genres: new Set<unknown>(genres.filter((genre) => !hidden.has(genre))),
};

const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
const records = files.flatMap(readRecords);
const titles = records.filter((record): record is TitleRecord => record.kind === "title");
const real = titles.filter((title) => title.mal_id !== filmId);
const known = new Set(titles.map((title) => title.mal_id));

function readRecords(name: string): CatalogRecord[] {
  const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as CatalogRecord);
}

function idsWhere(wrong: (title: TitleRecord) => boolean): number[] {
  return titles.filter(wrong).map((title) => title.mal_id);
}

describe("the starter catalog's titles", () => {
  test("have unique ids", () => {
    expect(known.size).toBe(titles.length);
    expect(idsWhere((title) => !Number.isInteger(title.mal_id) || title.mal_id < 1)).toEqual([]);
  });

  test("use the enumerations of the contract and are not mature", () => {
    expect(idsWhere((title) => !words.types.has(title.type))).toEqual([]);
    expect(idsWhere((title) => !words.statuses.has(title.status))).toEqual([]);
    expect(idsWhere((title) => !words.ratings.has(title.rating))).toEqual([]);
    expect(idsWhere((title) => !words.seasons.has(title.season))).toEqual([]);
    expect(idsWhere((title) => !title.genres.every((genre) => words.genres.has(genre)))).toEqual([]);
  });

  test("have a Japanese name", () => {
    expect(idsWhere((title) => !title.title_japanese)).toEqual([]);
    // Some names are written in Latin letters in Japan as well (AKIRA, DEATH NOTE).
    const japanese = titles.filter((title) =>
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(title.title_japanese),
    );
    expect(japanese.length).toBeGreaterThan(titles.length * 0.9);
  });

  test.each([
    ["AoT", 16498],
    ["SnK", 16498],
    ["FMAB", 5114],
    ["HxH", 11061],
    ["OPM", 30276],
    ["DBZ", 813],
    ["JJK", 40748],
    ["BNHA", 31964],
    ["OreGairu", 14813],
    ["TenSura", 37430],
    ["Frieren", 52991],
    ["Evangelion", 30],
  ])("include the nickname %s", (nickname, id) => {
    expect(titles.find((title) => title.mal_id === id)?.title_synonyms).toContain(nickname);
  });

  test("have no repeated synonyms", () => {
    const repeats = (title: TitleRecord) => new Set(title.title_synonyms).size < title.title_synonyms.length;
    expect(idsWhere(repeats)).toEqual([]);
  });

  test("start before they end, and in their stated year", () => {
    const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    expect(idsWhere((title) => !instant.test(title.aired_from))).toEqual([]);
    expect(idsWhere((title) => title.aired_to !== null && title.aired_to < title.aired_from)).toEqual([]);
    // A winter season may start in the last days of December.
    expect(idsWhere((title) => Math.abs(title.year - Number(title.aired_from.slice(0, 4))) > 1)).toEqual([]);
  });

  test("have a complete broadcast slot or none", () => {
    const broken = (title: TitleRecord) =>
      title.broadcast_day === null
        ? title.broadcast_time !== null || title.broadcast_timezone !== null
        : !words.weekdays.has(title.broadcast_day) ||
          !/^([01]\d|2[0-3]):[0-5]\d$/.test(title.broadcast_time ?? "") ||
          title.broadcast_timezone !== "Asia/Tokyo";
    expect(idsWhere(broken)).toEqual([]);
  });

  test("have no picture, banner or trailer", () => {
    const media = Object.keys(titles[0] ?? {}).filter((field) => /image|youtube|trailer/.test(field));
    expect(media).toHaveLength(9);
    expect(idsWhere((title) => media.some((field) => title[field] !== null))).toEqual([]);
  });
});

describe("the synopses", () => {
  test("are 30 to 95 words long", () => {
    const words = (title: TitleRecord) => title.synopsis.split(/\s+/).length;
    expect(idsWhere((title) => words(title) < 30 || words(title) > 95)).toEqual([]);
  });

  test("share no sentence", () => {
    const sentences = titles.flatMap((title) => title.synopsis.split(/(?<=[.!?])\s+/));
    const repeated = sentences.filter(
      (sentence, at) => sentence.length > 12 && sentences.indexOf(sentence) !== at,
    );
    expect(repeated).toEqual([]);
  });

  test("start with the same two words in at most six titles", () => {
    const opening = (title: TitleRecord) => title.synopsis.split(/\s+/, 2).join(" ").toLowerCase();
    const uses = new Map<string, number>();
    for (const title of titles) uses.set(opening(title), (uses.get(opening(title)) ?? 0) + 1);
    const repeatedOpenings = [...uses].filter(([, times]) => times > 6).map(([words]) => words);
    expect(repeatedOpenings).toEqual([]);
  });
});

describe("the relations", () => {
  const relations = records.filter((record) => record.kind === "relation");
  const kindOf = ({ relation }: CatalogRecord) => relation as RelationKind;
  const pairs = new Map(relations.map((record) => [`${record.from}>${record.to}`, kindOf(record)]));

  test("connect titles of this catalog, each pair once", () => {
    const broken = relations.filter(
      (r) => r.from === r.to || !known.has(Number(r.from)) || !known.has(Number(r.to)),
    );
    expect(broken).toEqual([]);
    expect(pairs.size).toBe(relations.length);
  });

  test("have a matching relation in the other direction", () => {
    const isUnanswered = (record: CatalogRecord) => {
      const kind = kindOf(record);
      const answer = pairs.get(`${record.to}>${record.from}`);
      return answer === undefined || (answer !== inverseRelations[kind] && kind !== inverseRelations[answer]);
    };
    const unanswered = relations.filter(isUnanswered);
    expect(unanswered).toEqual([]);
  });
});

describe("the demonstration film", () => {
  const about = (kind: string, number: number) =>
    records.filter((record) => record.kind === kind && record.mal_id === filmId && record.number === number);

  test.each([1, 2])(
    "has episode %i with HLS and WebM sources, subtitles in two languages, an intro and an outro",
    (number) => {
      expect(about("episode", number)).toHaveLength(1);
      expect(about("source", number).map((source) => source.url)).toEqual([
        `/film/${number}/master.m3u8`,
        `/film/${number}/film.webm`,
      ]);
      expect(about("subtitle", number).map((subtitle) => subtitle.language)).toEqual(["en", "ja"]);
      expect(about("skip", number).map((skip) => skip.segment)).toEqual(["intro", "outro"]);
    },
  );

  test("has a third episode that is a Matroska film, small enough for everybody to download with the site", () => {
    expect(about("episode", 3)).toHaveLength(1);
    const [source] = about("source", 3);
    expect(source).toMatchObject({ type: "file", url: "/film/3/two-evenings.mkv" });
    expect(readFileSync(`public${source?.url}`).byteLength).toBeLessThan(1_500_000);
  });

  test("is the only title with a source", () => {
    const playable = new Set(
      records.filter((record) => record.kind === "source").map((record) => record.mal_id),
    );
    expect([...playable]).toEqual([filmId]);
  });
});

test("each file is small enough to read in a review", () => {
  const tooLarge = files.filter((name) => readFileSync(join(folder, name)).byteLength >= 1_000_000);
  expect(tooLarge).toEqual([]);
});

describe("the selection of titles", () => {
  test("has at least twelve titles of every decade", () => {
    const sparse = [1960, 1970, 1980, 1990, 2000, 2010, 2020].filter(
      (decade) => real.filter((title) => title.year >= decade && title.year < decade + 10).length < 12,
    );
    expect(sparse).toEqual([]);
  });

  test("covers every type except PV, and every genre and rating except the mature ones", () => {
    const types = new Set(real.map((title) => title.type));
    expect(titleTypes.filter((type) => type !== "PV" && !types.has(type))).toEqual([]);
    const ratings = new Set(real.map((title) => title.rating));
    expect(Object.values(ratingLabels).filter((label) => !ratings.has(label))).toEqual([ratingLabels.rx]);
    const used = new Set(real.flatMap((title) => title.genres));
    expect(genres.filter((genre) => !used.has(genre))).toEqual(matureGenres.toSorted());
  });

  test("has an airing title on each day of the schedule", () => {
    const slots = new Set(
      real.filter((title) => title.aired_to === null).map((title) => title.broadcast_day),
    );
    expect(weekdays.filter((day) => !slots.has(day))).toEqual([]);
  });
});
