import { expect, test } from "vitest";
import { summarizeList } from "#app/domain/library/list/list-summary.ts";

const entry = {
  type: "Watching" as const,
  state: null,
  progress: 0,
  episodes: null,
  rewatchCount: 0,
  rewatchProgress: 0,
  score: null,
  genres: [],
  duration: null,
  titleType: null,
  year: null,
};

test("time watched includes rewatches, and leaves out episodes of unknown length", () => {
  const summary = summarizeList([
    { ...entry, progress: 3, duration: "24 min per ep" },
    { ...entry, progress: 1, episodes: 1, rewatchCount: 2, duration: "1 hr 55 min" },
    { ...entry, progress: 2, rewatchProgress: 1, duration: "2 hr" },
    { ...entry, progress: 500, duration: "Unknown" },
    { ...entry, progress: 500 },
  ]);
  expect(summary.minutes).toBe(3 * 24 + 3 * 115 + 3 * 120);
});

test("a summary has the numbers of entries, episodes and genres, and the mean of the given scores", () => {
  const summary = summarizeList([
    { ...entry, type: "Watching", progress: 3, score: 8, genres: ["Action", "Drama"] },
    { ...entry, type: "Completed", progress: 12, genres: ["Drama"] },
  ]);
  expect(summary).toMatchObject({
    episodes: 15,
    meanScore: 8,
    genres: [
      { name: "Drama", count: 2, meanScore: 8 },
      { name: "Action", count: 1, meanScore: 8 },
    ],
  });
  expect([...summary.counts]).toEqual([
    ["Watching", 1],
    ["Completed", 1],
  ]);
});

test("an entry with a state counts under the state and not under its list status, as in the tabs of the list", () => {
  const { counts } = summarizeList([
    { ...entry, state: "on_hold" },
    { ...entry, type: "Collection", state: "dropped" },
    entry,
  ]);
  expect(counts).toEqual(
    new Map([
      ["on_hold", 1],
      ["dropped", 1],
      ["Watching", 1],
    ]),
  );
});

test("formats are counted with their mean score and time, and the format with the most titles comes first", () => {
  const film = { ...entry, titleType: "Movie", progress: 1, duration: "2 hr" };
  const { formats } = summarizeList([
    { ...film, score: 6 },
    { ...entry, titleType: "TV", progress: 2, duration: "24 min per ep" },
    { ...film, score: 9 },
    entry,
  ]);
  expect(formats).toEqual([
    { name: "Movie", count: 2, meanScore: 7.5, minutes: 240 },
    { name: "TV", count: 1, meanScore: null, minutes: 48 },
  ]);
});

test("an entry's length is read once, although it counts for the whole list, genres, a format and a period", () => {
  let reads = 0;
  const { minutes, genres, formats, periods } = summarizeList([
    {
      ...entry,
      progress: 2,
      genres: ["Action", "Drama"],
      titleType: "TV",
      year: 2020,
      get duration() {
        reads++;
        return "24 min per ep";
      },
    },
  ]);
  expect([minutes, ...[...genres, ...formats, ...periods].map((group) => group.minutes)]).toEqual(
    Array(5).fill(48),
  );
  expect(reads).toBe(1);
});

const periodsOf = (...years: (number | null)[]) =>
  summarizeList(years.map((year) => ({ ...entry, year }))).periods.map(
    ({ name, count }) => [name, count] as const,
  );

test("with few years of release, each year is counted, and a year without titles has the count 0", () => {
  expect(periodsOf(2021, null, 2019, 2021)).toEqual([
    ["2019", 1],
    ["2020", 0],
    ["2021", 2],
  ]);
  expect(periodsOf(null)).toEqual([]);
});

test("with many years of release, at most ten periods contain every title", () => {
  expect(periodsOf(1998, 2024).map(([name]) => name)).toEqual([
    "1995–1999",
    "2000–2004",
    "2005–2009",
    "2010–2014",
    "2015–2019",
    "2020–2024",
  ]);
  for (const years of [
    [1917, 2026],
    [1900, 2200],
    [2015, 2024],
    [2014, 2025],
  ] as const) {
    const periods = periodsOf(...years);
    expect(periods.length).toBeLessThanOrEqual(10);
    expect(periods.reduce((sum, [, count]) => sum + count, 0)).toBe(2);
    expect([periods[0]?.[1], periods.at(-1)?.[1]]).toEqual([1, 1]);
  }
});

test("an empty list has no mean score", () => {
  expect(summarizeList([])).toMatchObject({ episodes: 0, meanScore: null, genres: [], periods: [] });
});
