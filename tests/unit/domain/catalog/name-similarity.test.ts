import fc from "fast-check";
import { expect, test } from "vitest";
import { alignments, nameSimilarity } from "#app/domain/catalog/name-similarity.ts";

const editDistance = (a: string, b: string) => alignments(a, b, (column) => column)[b.length];

test.each([
  ["naruto", "naruto", 0],
  ["nartuo", "naruto", 1],
  ["narto", "naruto", 1],
  ["narutoo", "naruto", 1],
  ["nabuto", "naruto", 1],
  ["", "naruto", 6],
  ["kitten", "sitting", 3],
])("%s and %s have the edit distance %i", (a, b, distance) => expect(editDistance(a, b)).toBe(distance));

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
test("an edit distance is the same in both directions, and 0 only for equal words", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

test("the beginning of a long name is nearly as similar as the whole name", () => {
  expect(nameSimilarity("shingeki no kyojn", "shingeki no kyojin season 3")).toBeGreaterThan(0.85);
  expect(nameSimilarity("naruto", "naruto")).toBe(1);
  expect(nameSimilarity("naruto", "bleach")).toBeLessThan(0.4);
});

test("a query that begins inside a name counts more if it begins a word", () => {
  expect(nameSimilarity("frieen", "sosou no frieren")).toBeGreaterThan(0.7);
  expect(nameSimilarity("rieren", "sosou no frieren")).toBeLessThan(
    nameSimilarity("frieren", "sosou no frieren"),
  );
  expect(nameSimilarity("frieren", "sosou no frieren")).toBeLessThan(
    nameSimilarity("sosou no", "sosou no frieren"),
  );
});
