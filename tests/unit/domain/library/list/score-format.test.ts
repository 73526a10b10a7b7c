import fc from "fast-check";
import { expect, test } from "vitest";
import { scoreChoices, scoreText } from "#app/domain/library/library.ts";

test("a score shows as a number, with one decimal, or as the nearest number of stars", () => {
  const texts = (score: number) =>
    (["whole", "decimal", "stars"] as const).map((format) => scoreText(score, format));
  expect(texts(7)).toEqual(["7", "7.0", "4 ★"]);
  expect(texts(7.5)).toEqual(["7.5", "7.5", "4 ★"]);
  expect(texts(10)).toEqual(["10", "10.0", "5 ★"]);
});

test("without a stored score, the choices are 10 to 1, or five to one star", () => {
  expect(scoreChoices("whole", null).map(({ score }) => score)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(scoreChoices("stars", null)).toEqual(
    [5, 4, 3, 2, 1].map((stars) => ({ score: 2 * stars, text: `${stars} ★` })),
  );
});

test("a stored score is the only choice with its text, so that saving a form again does not change it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("whole" as const, "stars" as const),
      fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
      (format, stored) => {
        const choices = scoreChoices(format, stored);
        const own = choices.filter(({ text }) => text === scoreText(stored, format));
        expect(own.map(({ score }) => score)).toEqual([stored]);
        expect(choices.map(({ score }) => score)).toEqual(
          choices.map(({ score }) => score).sort((one, other) => other - one),
        );
      },
    ),
  );
});
