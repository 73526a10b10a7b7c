import fc from "fast-check";
import { expect, test } from "vitest";
import { findWord } from "#app/domain/spelling.ts";
import {
  fanaticLevels,
  genders,
  genres,
  listStatuses,
  preferredFormats,
  watchFrequencies,
} from "#db/schema/enumerations.ts";

const sets = [listStatuses, fanaticLevels, genders, genres, preferredFormats, watchFrequencies];

test("every word is found by its label and its slug, in any letter case", () => {
  const spellings = [
    (word: string) => word,
    (word: string) => word.toLowerCase().replaceAll(" ", "_"),
    (word: string) => ` ${word.toUpperCase().replaceAll(" ", "-")} `,
  ];
  for (const words of sets)
    for (const word of words)
      for (const spell of spellings) expect(findWord<string>(words, spell(word)), spell(word)).toBe(word);
});

test("any other text finds no word", () => {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...sets), (text, words) => {
      fc.pre(words.every((word) => letters(word) !== letters(text)));
      expect(findWord<string>(words, text)).toBeNull();
    }),
  );
});
