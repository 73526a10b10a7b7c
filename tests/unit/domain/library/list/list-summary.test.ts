import { expect, test } from "vitest";
import { summarizeList } from "#app/domain/library/list/list-summary.ts";

test("a summary counts entries, episodes and genres, and has the mean of the given scores", () => {
  const summary = summarizeList([
    { type: "Watching", progress: 3, score: 8, genres: ["Action", "Drama"] },
    { type: "Completed", progress: 12, score: null, genres: ["Drama"] },
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
