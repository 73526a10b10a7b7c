import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WaitLimit } from "#app/platform/limits/wait-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = () => new Error("late");
const answerIn = (ms: number) => () =>
  new Promise<string>((resolve) => void setTimeout(() => resolve("answer"), ms));
const outcome = (wait: Promise<string>) => wait.catch((error: Error) => error.message);

test("waits add up, and the wait that reaches the limit fails before its answer", async () => {
  const limit = new WaitLimit(1000);
  const outcomes: string[] = [];
  for (const ms of [400, 400, 400]) {
    const waiting = outcome(limit.within(answerIn(ms), late)).then((one) => outcomes.push(one));
    await vi.advanceTimersByTimeAsync(ms);
    await waiting;
  }
  expect(outcomes).toEqual(["answer", "answer", "late"]);
});

test("simultaneous waits count once, and the time between waits does not count", async () => {
  const limit = new WaitLimit(1000);
  const both = Promise.all([400, 400].map((ms) => limit.within(answerIn(ms), late)));
  await vi.advanceTimersByTimeAsync(5000);
  expect(await both).toEqual(["answer", "answer"]);
  expect(limit.leftMs()).toBe(600);
});

test("after the limit no wait begins, even when the limit is lifted", async () => {
  const limit = new WaitLimit(100);
  const first = outcome(limit.within(answerIn(1000), late));
  await vi.advanceTimersByTimeAsync(100);
  expect(await first).toBe("late");
  limit.lift();
  const work = vi.fn(answerIn(0));
  expect(await outcome(limit.within(work, late))).toBe("late");
  expect(work).not.toHaveBeenCalled();
});

test("a limit that is lifted in time ends no wait", async () => {
  const limit = new WaitLimit(100);
  const waiting = outcome(limit.within(answerIn(1000), late));
  limit.lift();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waiting).toBe("answer");
});
