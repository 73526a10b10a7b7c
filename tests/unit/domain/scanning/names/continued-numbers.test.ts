import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { continueNumber, readRules } from "#app/domain/scanning/names/continued-numbers.ts";

const text = readFileSync("db/continued-numbers.txt", "utf8");

describe("episode numbers that continue in another title", () => {
  test("every rule with an id of MyAnimeList on its left is read", () => {
    const lines = text.split("\n").filter((line) => /^- \d+\|/.test(line));
    expect(lines.length).toBe(530);
    for (const line of lines) expect(readRules(line).length, line).toBe(line.endsWith("!") ? 2 : 1);
  });

  test("every rule leads from its range to a range of the same length", () => {
    const ends = readRules(text).flatMap(({ from, to }) => [
      { from, number: from.first, to: { malId: to.malId, number: to.first } },
      { from, number: from.last, to: { malId: to.malId, number: to.first + from.last - from.first } },
    ]);
    const others = ends
      .filter(({ number }) => Number.isFinite(number))
      .filter(({ from, number, to }) => !isDeepStrictEqual(continueNumber(from.malId, number), to))
      .map(({ from, number }) => `${from.malId}:${number}`);
    // A narrower range within 40028:17-75, 60-75, belongs to 40028 itself.
    expect(others).toEqual(["40028:75"]);
  });

  test.each<[string, number, number, { malId: number; number: number } | null]>([
    ["episode 12 of a title of 12", 41380, 12, null],
    ["episode 13 is the first of its second season", 41380, 13, { malId: 44881, number: 1 }],
    ["episode 24 is the last", 41380, 24, { malId: 44881, number: 12 }],
    ["episode 25 is none", 41380, 25, null],
    ["the second season under its own name, counted on", 44881, 13, { malId: 44881, number: 1 }],
    ["a title without rules", 1, 30, null],
  ])("%s", (_, malId, number, expected) => {
    expect(continueNumber(malId, number)).toEqual(expected);
  });
});
