import { expect, test } from "vitest";
import { asksBeforeNext, countBegunAlone } from "#app/routes/watch/player/untouched.ts";

test("a child is asked after three episodes that began by themselves, others after four", () => {
  const asked = [1, 2, 3, 4].map(() => {
    countBegunAlone();
    return [asksBeforeNext(true), asksBeforeNext(false)];
  });
  expect(asked).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [true, true],
  ]);
});
