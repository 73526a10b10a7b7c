import { expect, test } from "vitest";
import { summarizeList } from "#app/domain/library/list/list-summary.ts";

const entry = {
  type: "Watching" as const,
  progress: 0,
  episodes: null,
  rewatchCount: 0,
  rewatchProgress: 0,
  score: null,
  genres: [],
  duration: null,
};

test("time watched counts what was watched again, and leaves out episodes of unknown length", () => {
  const summary = summarizeList([
    { ...entry, progress: 3, duration: "24 min per ep" },
    { ...entry, progress: 1, episodes: 1, rewatchCount: 2, duration: "1 hr 55 min" },
    { ...entry, progress: 2, rewatchProgress: 1, duration: "2 hr" },
    { ...entry, progress: 500, duration: "Unknown" },
    { ...entry, progress: 500 },
  ]);
  expect(summary.minutes).toBe(3 * 24 + 3 * 115 + 3 * 120);
});

test("the distribution of scores has ten steps", () => {
  const scores = [0, 0.4, 1, 4.4, 4.5, 9.5, 10].map((score) => ({ ...entry, score }));
  expect(summarizeList([...scores, entry]).scores).toEqual([3, 0, 0, 1, 1, 0, 0, 0, 0, 2]);
});

test("a summary counts entries, episodes and genres, and has the mean of the given scores", () => {
  const summary = summarizeList([
    { ...entry, type: "Watching", progress: 3, score: 8, genres: ["Action", "Drama"] },
    { ...entry, type: "Completed", progress: 12, genres: ["Drama"] },
  ]);
  expect(summary).toMatchObject({
    episodes: 15,
    meanScore: 8,
    genres: [
      { genre: "Drama", count: 2 },
      { genre: "Action", count: 1 },
    ],
  });
  expect(summary.counts).toContainEqual({ type: "Watching", count: 1 });
  expect(summary.counts).toContainEqual({ type: "To Watch", count: 0 });
});

test("an empty list has no mean score", () => {
  expect(summarizeList([])).toMatchObject({ episodes: 0, meanScore: null, genres: [] });
});
