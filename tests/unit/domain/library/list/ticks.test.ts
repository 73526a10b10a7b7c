import { expect, test } from "vitest";
import { joinTicks, maxTickRuns, type Ticks } from "#app/domain/library/list/ticks.ts";

/** Every second episode, so that no two runs can be joined. */
const everySecond = (runs: number): Ticks =>
  Array.from({ length: runs }, (_, at) => [2 * at + 1, 2 * at + 1]);

test("too many runs become one, up to the last ticked episode", () => {
  expect(joinTicks(everySecond(maxTickRuns))).toHaveLength(maxTickRuns);
  expect(joinTicks(everySecond(maxTickRuns), [[9001, 9002]])).toEqual([[1, 9002]]);
});
