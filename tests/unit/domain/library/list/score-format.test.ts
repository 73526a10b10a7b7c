import fc from "fast-check";
import { expect, test } from "vitest";
import { countScores, meanScoreText, scoreChoices, scoreText } from "#app/domain/library/library.ts";

test("a score shows as a number, with one decimal, or as the nearest number of stars", () => {
  const texts = (score: number) =>
    (["whole", "decimal", "stars"] as const).map((format) => scoreText(score, format));
  expect(texts(7)).toEqual(["7", "7.0", "4 ★"]);
  expect(texts(7.5)).toEqual(["7.5", "7.5", "4 ★"]);
  expect(texts(10)).toEqual(["10", "10.0", "5 ★"]);
});

test("without a stored score, the choices are 10 to 1, or five stars to one", () => {
  expect(scoreChoices("whole", null).map(({ score }) => score)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(scoreChoices("stars", null)).toEqual(
    [5, 4, 3, 2, 1].map((stars) => ({ score: 2 * stars, text: `${stars} ★` })),
  );
});

test("a stored score is the only choice with its text, so that saving an unchanged form does not change it", () => {
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

test("a mean has one decimal, and is out of five where scores are stars", () => {
  expect(meanScoreText(8.46, "whole")).toBe("8.5");
  expect(meanScoreText(8, "decimal")).toBe("8.0");
  expect(meanScoreText(8.5, "stars")).toBe("4.3 ★");
});

test("scores are counted as they are shown, and half points as the next whole number", () => {
  const scores = [0, 0.4, 1, 4.4, 4.5, 8.5, 9.5, 10];
  expect(countScores(scores, "whole")).toEqual([3, 0, 0, 1, 1, 0, 0, 0, 1, 2]);
  expect(countScores(scores, "decimal")).toEqual(countScores(scores, "whole"));
  expect(countScores(scores, "stars")).toEqual([3, 2, 0, 1, 2]);
});

test("each score that can be chosen as stars counts for that number of stars", () => {
  for (const { score, text } of scoreChoices("stars", null))
    expect(countScores([score], "stars").indexOf(1) + 1).toBe(Number.parseInt(text, 10));
});
