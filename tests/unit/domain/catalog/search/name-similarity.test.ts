import fc from "fast-check";
import { expect, test } from "vitest";
import { alignments, nameSimilarity, shownMatch } from "#app/domain/catalog/search/name-similarity.ts";

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

test("a match inside a name counts more at the beginning of a word", () => {
  expect(nameSimilarity("frieen", "sosou no frieren")).toBeGreaterThan(0.7);
  expect(nameSimilarity("rieren", "sosou no frieren")).toBeLessThan(
    nameSimilarity("frieren", "sosou no frieren"),
  );
  expect(nameSimilarity("frieren", "sosou no frieren")).toBeLessThan(
    nameSimilarity("sosou no", "sosou no frieren"),
  );
});

const frieren = {
  title: "Sousou no Frieren",
  titleEnglish: "Frieren: Beyond Journey's End",
  titleJapanese: "葬送のフリーレン",
};

test.each([
  ["frieren", "Frieren The Slayer", "Frieren: Beyond Journey's End"],
  ["FRIEREN b", "Frieren Beyond", "Frieren: Beyond Journey's End"],
  ["frieren the slayer", "Frieren The Slayer", "Frieren The Slayer"],
  ["slayer", "Frieren The Slayer", "Frieren The Slayer"],
  ["sousou", "Sousou no Frieren", "Sousou no Frieren"],
  ["フリーレン", "葬送のフリーレン", "葬送のフリーレン"],
])("for %j, the match %j is shown as %j", (query, alias, shown) => {
  expect(shownMatch(frieren, alias, query)).toBe(shown);
});

test("a title without an English name shows its romaji name or the match", () => {
  const title = { ...frieren, titleEnglish: null };
  expect(shownMatch(title, "Frieren The Slayer", "frieren")).toBe("Sousou no Frieren");
  expect(shownMatch(title, "Frieren The Slayer", "slayer")).toBe("Frieren The Slayer");
});
