import fc from "fast-check";
import { expect, test } from "vitest";
import { parseByteRange } from "#app/platform/byte-range.ts";

test.each([
  ["bytes=0-9", { start: 0, end: 9 }],
  ["bytes=90-", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["bytes=50-1000", { start: 50, end: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=9-0", null],
  ["bytes=-", null],
  ["bytes=0-1,5-6", null],
  ["lines=0-9", null],
  ["nonsense", null],
  [undefined, null],
])("%s of 100 bytes gives %j", (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});

test("a range always lies within the size", () => {
  const number = fc.option(fc.maxSafeNat(), { nil: "" as const });
  fc.assert(
    fc.property(number, number, fc.nat(), (first, last, size) => {
      const range = parseByteRange(`bytes=${first}-${last}`, size);
      if (range === null || range === "unsatisfiable") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.start).toBeLessThanOrEqual(range.end);
      expect(range.end).toBeLessThan(size);
    }),
  );
});
