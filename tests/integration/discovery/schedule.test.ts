import { beforeAll, expect, test } from "vitest";
import { instantAt, weekBounds } from "#app/domain/calendar/calendar.ts";
import { listSeasons } from "#app/domain/catalog/catalog.server.ts";
import { getHome, type HomeRow, listAirings } from "#app/domain/discovery/discovery.server.ts";
import { editList } from "#app/domain/library/library.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titleDetails } from "#db/schema/details.ts";
import { someUser } from "#tests/support/data/database-rows.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";

const tv = { kind: "title", type: "TV", broadcast_timezone: "Asia/Tokyo" };
const inSeason = (count: number, from: number, season: string, year: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...tv,
    mal_id: from + index,
    title: `${season} ${index}`,
    season,
    year,
    popularity: from + index,
  }));

beforeAll(async () => {
  await importTitles([
    {
      ...tv,
      mal_id: 1,
      title: "Late on Sunday",
      broadcast_day: "Sunday",
      broadcast_time: "23:30",
      aired_from: "2025-01-05T00:00:00Z",
      episodes: 12,
    },
    {
      ...tv,
      mal_id: 2,
      title: "For ever",
      broadcast_day: "Wednesday",
      broadcast_time: "18:00",
      aired_from: "1999-10-20T00:00:00Z",
    },
    {
      ...tv,
      mal_id: 3,
      title: "Ended before",
      broadcast_day: "Wednesday",
      broadcast_time: "18:00",
      aired_from: "2024-01-03T00:00:00Z",
      aired_to: "2024-03-27T00:00:00Z",
    },
    { ...tv, mal_id: 4, title: "Slot unknown", aired_from: "2025-01-10T00:00:00Z", episodes: 24 },
    {
      ...tv,
      mal_id: 5,
      title: "Hidden",
      broadcast_day: "Monday",
      broadcast_time: "10:00",
      aired_from: "2025-01-06T00:00:00Z",
      rating: "Rx - Hentai",
    },
    {
      ...tv,
      mal_id: 6,
      title: "Time unknown",
      broadcast_day: "Friday",
      aired_from: "2025-01-10T00:00:00Z",
      episodes: 24,
    },
    {
      ...tv,
      mal_id: 7,
      title: "Premiere at midnight",
      broadcast_day: "Monday",
      broadcast_time: "00:00",
      aired_from: "2025-01-06T00:00:00Z",
      episodes: 1,
    },
    {
      ...tv,
      mal_id: 8,
      title: "Skips a week",
      broadcast_day: "Thursday",
      broadcast_time: "22:00",
      aired_from: "2025-01-02T00:00:00Z",
      episodes: 12,
    },
    {
      ...tv,
      mal_id: 9,
      title: "Postponed beyond its last day",
      broadcast_day: "Tuesday",
      broadcast_time: "22:00",
      aired_from: "2024-07-02T00:00:00Z",
      aired_to: "2024-09-17T00:00:00Z",
      episodes: 12,
    },
    ...inSeason(7, 100, "Fall", 2024),
    ...inSeason(9, 300, "Spring", 2025),
  ]);
  const announced = { source: "anilist", answeredAt: new Date("2025-01-12"), dueAt: new Date() } as const;
  await db.insert(titleDetails).values([
    { ...announced, malId: 8, nextEpisode: 3, nextAirsAt: new Date("2025-01-23T13:30:00Z") },
    {
      ...announced,
      malId: 9,
      answeredAt: new Date("2024-09-01"),
      nextEpisode: 9,
      nextAirsAt: new Date("2024-10-08T13:00:00Z"),
    },
    { ...announced, malId: 4, nextEpisode: 3, nextAirsAt: new Date("2025-01-24T10:00:00Z") },
  ]);
});

const week = (monday: string, zone: string) => {
  const { from, until } = weekBounds(monday, zone);
  return listAirings(from, until, anybody);
};

test("a week has every airing once, with its episode number if known, and titles without a day or time apart", async () => {
  const { airings, unslotted } = await week("2025-01-13", "Asia/Tokyo");
  expect(airings.map(({ title, at, episode }) => [title.malId, at, episode])).toEqual([
    [2, "2025-01-15T09:00:00.000Z", null],
    [1, "2025-01-19T14:30:00.000Z", 3],
  ]);
  expect(unslotted.map((title) => title.malId)).toEqual([4, 6]);
});

test("an airing is in the week of the viewer's time zone", async () => {
  const inTokyo = await week("2025-01-13", "Asia/Tokyo");
  const inLosAngeles = await week("2025-01-13", "America/Los_Angeles");
  const sunday = instantAt("2025-01-19", "23:30", "Asia/Tokyo").toISOString();
  for (const { airings } of [inTokyo, inLosAngeles]) expect(airings.map(({ at }) => at)).toContain(sunday);
  const auckland = await week("2025-01-20", "Pacific/Auckland");
  expect(auckland.airings.map(({ at }) => at)).toContain(sunday);
});

test("nothing airs before its first day or after its last", async () => {
  const before = await week("2024-12-23", "Asia/Tokyo");
  expect(before.airings.map(({ title }) => title.malId)).toEqual([2]);
  const after = await week("2025-04-07", "Asia/Tokyo");
  expect(after.airings.map(({ title }) => title.malId)).toEqual([2]);
});

test("the week after the last expected episode has no broadcast of the title", async () => {
  const { airings } = await week("2025-03-24", "Asia/Tokyo");
  expect(airings.map(({ title }) => title.malId)).not.toContain(1);
});

test("a premiere after midnight in Japan is in the week before if the viewer's Sunday has not ended", async () => {
  const { airings } = await week("2024-12-30", "Europe/Berlin");
  expect(airings.map(({ title, at }) => [title.malId, at])).toContainEqual([7, "2025-01-05T15:00:00.000Z"]);
});

test("an announced episode replaces the weekly broadcasts before it, and those after are counted from it", async () => {
  const episodesOf = async (monday: string, malId: number) =>
    (await week(monday, "Asia/Tokyo")).airings.flatMap(({ title, at, episode }) =>
      title.malId === malId ? [[at, episode]] : [],
    );
  expect(await episodesOf("2025-01-06", 8)).toEqual([["2025-01-09T13:00:00.000Z", 2]]);
  expect(await episodesOf("2025-01-13", 8)).toEqual([]);
  expect(await episodesOf("2025-01-20", 8)).toEqual([["2025-01-23T13:30:00.000Z", 3]]);
  expect(await episodesOf("2025-01-27", 8)).toEqual([["2025-01-30T13:00:00.000Z", 4]]);
  // The last episode, a week after the last day by the catalog's dates.
  expect(await episodesOf("2025-03-24", 8)).toEqual([["2025-03-27T13:00:00.000Z", 12]]);
  expect(await episodesOf("2025-03-31", 8)).toEqual([]);
  // A title without a slot.
  expect(await episodesOf("2025-01-20", 4)).toEqual([["2025-01-24T10:00:00.000Z", 3]]);
  expect((await week("2025-01-20", "Asia/Tokyo")).unslotted.map(({ malId }) => malId)).toEqual([6]);
});

const homeRow = async (kind: HomeRow["kind"], now: string, timeZone = "UTC") => {
  const { rows } = await getHome({ userId: null, viewer: anybody, timeZone }, new Date(now));
  return rows.find((row) => row.kind === kind);
};

test("home shows what airs today in the viewer's time zone", async () => {
  const today = async (timeZone: string) =>
    (await homeRow("airing today", "2025-01-19T16:00:00Z", timeZone))?.titles.map((title) => title.malId);
  expect(await today("Europe/Berlin")).toEqual([1]);
  // In Auckland both the airing and the current time are on Monday.
  expect(await today("Pacific/Auckland")).toEqual([1]);
  // In Tokyo the airing is on Sunday and the current time on Monday.
  expect(await today("Asia/Tokyo")).toBeUndefined();
});

const ownAirings = async (userId: string, now: string) => {
  const { rows } = await getHome({ userId, viewer: anybody, timeZone: "UTC" }, new Date(now));
  const row = rows.find((one) => one.kind === "airing for you");
  return row?.airings.map(({ title, at, episode }) => [title.malId, at, episode]);
};

test("home shows a member the next broadcasts of what they watch, but not of what is on hold", async () => {
  const user = await someUser();
  const edit = { kind: "save", malId: 2, type: "Watching" } as const;
  expect((await editList(user, edit, anybody)).ok).toBe(true);
  expect(await ownAirings(user, "2025-01-13")).toEqual([[2, "2025-01-15T09:00:00.000Z", null]]);
  expect((await editList(user, { ...edit, state: "on_hold" }, anybody)).ok).toBe(true);
  expect(await ownAirings(user, "2025-01-13")).toBeUndefined();
});

test("home names the announced episode of a series that skips this week", async () => {
  const user = await someUser();
  expect((await editList(user, { kind: "save", malId: 8, type: "Watching" }, anybody)).ok).toBe(true);
  expect(await ownAirings(user, "2025-01-13")).toEqual([[8, "2025-01-23T13:30:00.000Z", 3]]);
});

test("home names the announced episode of a series whose last day has passed", async () => {
  const user = await someUser();
  expect((await editList(user, { kind: "save", malId: 9, type: "Watching" }, anybody)).ok).toBe(true);
  expect(await ownAirings(user, "2024-09-30")).toEqual([[9, "2024-10-08T13:00:00.000Z", 9]]);
});

test("seasons come with the latest first, and count titles without a season by their first day", async () => {
  expect(await listSeasons(anybody)).toEqual([
    { year: 2025, season: "Spring", titles: 9 },
    { year: 2025, season: "Winter", titles: 5 },
    { year: 2024, season: "Fall", titles: 7 },
    { year: 2024, season: "Summer", titles: 1 },
    { year: 2024, season: "Winter", titles: 1 },
    { year: 1999, season: "Fall", titles: 1 },
  ]);
});

test("home shows the current season, or the latest before it that fills a row", async () => {
  expect(await homeRow("season", "2025-05-01")).toMatchObject({ season: { year: 2025, season: "Spring" } });
  expect(await homeRow("season", "2025-02-01")).toMatchObject({ season: { year: 2024, season: "Fall" } });
  expect(await homeRow("season", "1990-02-01")).toBeUndefined();
});
