import fc from "fast-check";
import { expect, test } from "vitest";
import { stretchOf } from "#app/domain/franchises/length.ts";

const part = fc.record({
  episodes: fc.option(fc.integer({ min: 1, max: 2000 })),
  minutes: fc.option(fc.integer({ min: 1, max: 50_000 })),
  seen: fc.oneof(fc.integer({ min: 0, max: 2500 }), fc.constant("all" as const)),
});

test("what is left is never negative nor more than the whole, and nothing is left of finished titles", () => {
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const [all, left] = [stretchOf(parts.map((one) => ({ ...one, seen: 0 }))), stretchOf(parts)];
      expect(left.episodes).toBeGreaterThanOrEqual(0);
      expect(left.episodes).toBeLessThanOrEqual(all.episodes);
      expect(left.minutes).toBeLessThanOrEqual(all.minutes);
      const finished = parts.map((one) => ({ ...one, seen: "all" as const }));
      expect(stretchOf(finished)).toEqual({ episodes: 0, minutes: 0, isMore: false });
    }),
  );
});

test("a title of unknown length makes the sum a lower bound", () => {
  const known = { episodes: 12, minutes: 288 };
  expect(stretchOf([known, { ...known, seen: 3 }])).toEqual({ episodes: 21, minutes: 504, isMore: false });
  expect(stretchOf([known, { episodes: null, minutes: null }])).toEqual({ ...known, isMore: true });
  expect(stretchOf([{ episodes: 2, minutes: null }])).toEqual({ episodes: 2, minutes: 0, isMore: true });
});
