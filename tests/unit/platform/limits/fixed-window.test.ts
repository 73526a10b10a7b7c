import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { createFixedWindow } from "#app/platform/limits/fixed-window.ts";

afterEach(() => vi.useRealTimers());

test("a clock that is set back by an hour does not lengthen a window", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const windows = createFixedWindow({ maxKeys: 10 });
  windows.hit("a", 60_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(windows.hit("a", 60_000)).toEqual({ count: 2, resetsInMs: 60_000 });
  vi.advanceTimersByTime(60_000);
  expect(windows.hit("a", 60_000).count).toBe(1);
});

test("any sequence of hits gives the same as a simple model", () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c"), waitMs: fc.nat({ max: 80 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let at = 0;
      const windows = createFixedWindow({ maxKeys: 10, now: () => at });
      const model = new Map<string, { opened: number; hits: number }>();
      for (const { key, waitMs } of steps) {
        at += waitMs;
        const known = model.get(key);
        const window = known && at < known.opened + 100 ? known : { opened: at, hits: 0 };
        window.hits += 1;
        model.set(key, window);
        expect(windows.hit(key, 100)).toEqual({ count: window.hits, resetsInMs: window.opened + 100 - at });
      }
    }),
  );
});

test("over the maximum of keys, the windows nearest to their end are deleted", () => {
  let at = 0;
  const windows = createFixedWindow({ maxKeys: 3, now: () => at++ });
  for (const key of ["a", "b", "c", "d"]) windows.hit(key, 1000);
  expect(windows.size).toBe(3);
  expect(windows.hit("d", 1000).count).toBe(2);
  expect(windows.hit("a", 1000).count).toBe(1);
});
