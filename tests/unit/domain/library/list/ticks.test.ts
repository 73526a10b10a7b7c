import { expect, test } from "vitest";
import { joinTicks, maxTickRuns, type Ticks } from "#app/domain/library/list/ticks.ts";

/** Every second episode, so that no two runs can be joined. */
const everySecond: Ticks = Array.from({ length: maxTickRuns }, (_, at) => [2 * at + 1, 2 * at + 1]);

test("too many runs become one, up to the last ticked episode", () => {
  expect(joinTicks(everySecond)).toHaveLength(maxTickRuns);
  expect(joinTicks(everySecond, [[9001, 9002]])).toEqual([[1, 9002]]);
});
