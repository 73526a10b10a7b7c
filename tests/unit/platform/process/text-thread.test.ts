import { expect, test } from "vitest";
import { JobTooLong, PoolOverloaded } from "#app/platform/limits/thread-pool.server.ts";
import { isTooLargeForThread } from "#app/platform/process/text-thread.server.ts";

test("a text is too large for the thread if it needs more memory or time, but not if others are in front of it", () => {
  const outOfMemory = Object.assign(new Error(), { code: "ERR_WORKER_OUT_OF_MEMORY" });
  expect(isTooLargeForThread(outOfMemory)).toBe(true);
  expect(isTooLargeForThread(new JobTooLong())).toBe(true);
  expect(isTooLargeForThread(new PoolOverloaded())).toBe(false);
});
