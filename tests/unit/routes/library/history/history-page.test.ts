import { expect, test } from "vitest";
import { dayBounds, distinctSearches, historyDays } from "#app/routes/library/history/history-page.server.ts";

const watched = (at: string, ep: number, malId = 1) => ({
  malId,
  title: "Kaze",
  titleEnglish: "Wind",
  titleJapanese: "風",
  ep,
  episodes: null as number | null,
  episodeTitle: null,
  watchedAt: new Date(at),
});

const shown = {
  timeZone: "Europe/Berlin",
  titleLanguage: "romaji",
  now: new Date("2026-04-05T12:00:00Z"),
  drawnLanguageOf: () => ({}),
  watchOf: (malId: number) => ({ label: `Continue ${malId}`, path: "/" }),
} as const;

test("entries are grouped by day in the viewer's time zone, in the given order", () => {
  const all = [
    watched("2026-03-29T22:30:00Z", 3),
    watched("2026-03-29T21:30:00Z", 2),
    watched("2026-03-28T10:00:00Z", 1),
  ];
  const days = historyDays(all, shown);
  const timesOf = ({ titles }: (typeof days)[number]) =>
    titles.flatMap(({ items }) => items.map(({ ep, time }) => `${ep} ${time}`));
  expect(days.map((day) => [day.date, timesOf(day)])).toEqual([
    ["2026-03-30", ["3 00:30"]],
    ["2026-03-29", ["2 23:30"]],
    ["2026-03-28", ["1 11:00"]],
  ]);
  expect(days[0]?.label).toBe("Monday, 30 March 2026");
});

test("today and yesterday of the viewer have names", () => {
  const all = [watched("2026-03-29T22:30:00Z", 3), watched("2026-03-29T21:30:00Z", 2)];
  const days = historyDays(all, { ...shown, now: new Date("2026-03-30T21:00:00Z") });
  expect(days.map(({ label }) => label)).toEqual(["Today", "Yesterday"]);
});

test("consecutive episodes of one title are one group, and only its newest group offers to continue", () => {
  const day = "2026-03-28T1";
  const all = [watched(`${day}5:00Z`, 3), watched(`${day}4:00Z`, 2), watched(`${day}3:00Z`, 9, 2)];
  const [only] = historyDays([...all, watched(`${day}2:00Z`, 1)], shown);
  expect(only?.titles.map(({ malId, watch, items }) => [malId, watch?.label, items.length])).toEqual([
    [1, "Continue 1", 2],
    [2, "Continue 2", 1],
    [1, undefined, 1],
  ]);
});

test("the number of an episode is said once, also where the catalog repeats it as the name", () => {
  const all = [
    { ...watched("2026-03-28T12:00:00Z", 3), episodeTitle: "Rain" },
    { ...watched("2026-03-28T11:00:00Z", 2), episodeTitle: "Episode 2" },
  ];
  const items = historyDays(all, shown)[0]?.titles[0]?.items;
  expect(items?.map(({ name }) => name)).toEqual(["Episode 3: Rain", "Episode 2"]);
});

test("the only episode of a title has no name of its own", () => {
  const items = historyDays([{ ...watched("2026-03-28T12:00:00Z", 1), episodes: 1 }], shown)[0]?.titles[0]
    ?.items;
  expect(items?.map(({ name }) => name)).toEqual([null]);
});

test("titles have their names in the member's title language", () => {
  const rowIn = (titleLanguage: "romaji" | "english" | "japanese") =>
    historyDays([watched("2026-03-28T10:00:00Z", 1)], { ...shown, titleLanguage })[0]?.titles[0];
  expect(rowIn("romaji")).toMatchObject({ name: "Kaze", path: "/anime/1/kaze" });
  expect(rowIn("english")).toMatchObject({ name: "Wind", path: "/anime/1/kaze" });
  expect(rowIn("japanese")).toMatchObject({ name: "風", lang: "ja", path: "/anime/1/kaze" });
});

test("the day on which summer time begins has 23 hours", () => {
  const { from, until } = dayBounds("2026-03-29", "Europe/Berlin");
  expect((until.getTime() - from.getTime()) / 3_600_000).toBe(23);
});

test("a repeated search is listed once, at its latest time, with the ids of all its entries", () => {
  const searches = [
    { id: "3", query: "Frieren " },
    { id: "2", query: "monster" },
    { id: "1", query: "frieren" },
  ];
  expect(distinctSearches(searches)).toEqual([
    { query: "Frieren", ids: ["3", "1"] },
    { query: "monster", ids: ["2"] },
  ]);
});
