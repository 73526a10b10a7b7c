import fc from "fast-check";
import { expect, test } from "vitest";
import { codesOf, indexKey, lettersOf } from "#app/domain/catalog/search/index-key.ts";
import { searchKey } from "#app/domain/names/normalise.ts";

test.each([
  ["Steins;Gate", "steins gate"],
  ["魔王 2", "EOKWTN 2"],
  ["ナルト", "JKAJL7JK8"],
])("the index key of %s is %s", (name, key) => expect(indexKey(name)).toBe(key));

const anyName = fc.string({ unit: "binary", maxLength: 60 }).map((name) => name.toWellFormed());

test("an index key is ASCII, with one letter for each letter of the search key", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const key = indexKey(name);
      expect(key).toMatch(/^\p{ASCII}*$/u);
      expect(lettersOf(key)).toHaveLength([...searchKey(name)].length);
      expect(codesOf(lettersOf(key))).toBe(key);
    }),
  );
});

test("different letters of one script have different codes", () => {
  const scripts = {
    kana: [0x3040, 0x30ff],
    han: [0x4e00, 0x9fff],
    hangul: [0xac00, 0xd7a3],
    thai: [0x0e01, 0x0e5b],
  };
  for (const [first = 0, last = 0] of Object.values(scripts)) {
    const names = Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
    const keys = new Set(names.map((name) => searchKey(name)));
    expect(new Set([...keys].map(indexKey)).size).toBe(keys.size);
  }
});
