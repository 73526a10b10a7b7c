import { expect, test } from "vitest";
import { listStatusChoices, scoreChoices } from "#app/domain/library/library.ts";
import { scoresToChoose, statusLabels } from "#app/ui/titles/sheet-choices.ts";

test("the sheet of a card offers the list statuses that the library offers, in its order", () => {
  expect(Object.entries(statusLabels).map(([value, label]) => ({ value, label }))).toEqual(
    listStatusChoices(),
  );
});

test("the sheet of a card offers the scores that the library offers, with the stored one among them", () => {
  for (const format of ["whole", "stars"] as const)
    for (const stored of [undefined, 0, 0.5, 1, 2, 6.5, 7, 8.25, 9, 10])
      expect([format, stored, scoresToChoose(format, stored)]).toEqual([
        format,
        stored,
        scoreChoices(format, stored ?? null).map(({ score, text }) => [score, text]),
      ]);
});
