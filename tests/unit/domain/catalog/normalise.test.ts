import fc from "fast-check";
import { expect, test } from "vitest";
import { searchKey, withoutSpaces, wordKey } from "#app/domain/catalog/normalise.ts";

test.each([
  ["Fullmetal Alchemist: Brotherhood", "fullmetal alchemist brotherhod"],
  ["Steins;Gate", "steins gate"],
  ["K-On!", "k on"],
  ["Haikyuu!!", "haikyu"],
  ["Shoujo☆Kageki", "shojo kageki"],
  ["Tōkyō Ghoul", "tokyo ghol"],
  ["Toukyou Ghoul", "tokyo ghol"],
  ["JoJo’s Bizarre Adventure", "jojos bizarre adventure"],
  ["Hunter × Hunter", "hunter x hunter"],
  ["Spice & Wolf", "spice and wolf"],
  ["ＮＡＲＵＴＯ", "naruto"],
  ["Pokémon", "pokemon"],
  ["  a \u200b\u202e b  ", "a b"],
  ["ナルト", "なると"],
  ["進撃の巨人", "進撃の巨人"],
])("%s is searched as %s", (name, key) => {
  expect(searchKey(name)).toBe(key);
});

test("a voiced sound stays one", () => expect(searchKey("がぎぐ")).not.toBe(searchKey("かきく")));
test("a name of symbols alone keeps them", () => expect(searchKey("◯")).toBe("◯"));
test("nothing to search by is nothing", () => expect(searchKey(" \u200e ")).toBe(""));
test("long names are cut, never through a pair", () => {
  const key = searchKey("𠮷".repeat(300));
  expect([...key]).toHaveLength(200);
  expect(key.isWellFormed()).toBe(true);
});

test("normalising again changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (name) => {
      const key = searchKey(name.toWellFormed());
      expect(searchKey(key)).toBe(key);
      expect(withoutSpaces(key)).not.toContain(" ");
    }),
  );
});

test.each([
  ["Sci-Fi", "sci fi"],
  ["Slice of Life", "slice_of_life"],
  ["J.C.Staff", "jc staff"],
])("%s and %s are one word", (a, b) => expect(wordKey(a)).toBe(wordKey(b)));
