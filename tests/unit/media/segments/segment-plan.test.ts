import { describe, expect, test } from "vitest";
import type { KeyFrame } from "#app/media/film/inspection.ts";
import { planPicture, planSound } from "#app/media/segments/segment-plan.ts";

const framesAt = (...times: number[]): KeyFrame[] =>
  times.map((seconds) => ({ seconds, at: 1000 * seconds }));

describe("the plan of segments", () => {
  test("a segment holds as many groups of pictures as fit into six seconds, or one that is longer", () => {
    const planned = planPicture(framesAt(0.02, 2, 4, 6, 8, 30, 31), 32);
    expect(planned.map(({ start, end, from, to }) => [start, end, from, to])).toEqual([
      [0, 6, 0.02, 6],
      [6, 8, 6, 8],
      [8, 30, 8, 30],
      [30, 32, 30, null],
    ]);
  });

  test("sound that begins late and ends early has no segment without sound", () => {
    const planned = planSound({ span: { first: 13, last: 20 } }, framesAt(0, 10, 20), 60);
    expect(planned.map(({ start, from, to }) => [start, from, to])).toEqual([
      [0, 0, 18],
      [18, 18, null],
    ]);
    // A second before the first sound, since sound can stand behind the picture beside it.
    expect(planned.map(({ at }) => at)).toEqual([10_000, 10_000]);
  });
});
