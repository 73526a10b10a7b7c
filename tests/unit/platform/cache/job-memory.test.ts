import { expect, test } from "vitest";
import { createJobMemory } from "#app/platform/cache/job-memory.ts";

test("the allocations of one job do not overlap, and the next job gets the same memory", () => {
  const memory = createJobMemory(10);
  const [one, other] = [memory.allocate(4), memory.allocate(6)];
  one.fill(1);
  other.fill(2);
  expect([...one, ...other]).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
  memory.clear();
  const next = memory.allocate(10);
  expect(next.buffer).toBe(one.buffer);
  expect(next).toHaveLength(10);
});

test("an allocation that does not fit gets separate memory, and a smaller one after it still fits", () => {
  const memory = createJobMemory(10);
  const [one, large, other] = [memory.allocate(4), memory.allocate(7), memory.allocate(6)];
  one.fill(1);
  large.fill(2);
  other.fill(3);
  expect(large.every((byte) => byte === 2)).toBe(true);
  expect(large.buffer).not.toBe(one.buffer);
  expect(other.buffer).toBe(one.buffer);
  expect([...one]).toEqual([1, 1, 1, 1]);
});
