import fc from "fast-check";
import { expect, test } from "vitest";
import { measureJson } from "#app/domain/library/files/json-measure.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("the depth of any JSON is right, whatever its strings contain", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(measureJson(JSON.stringify(value)).depth).toBe(depthOf(value));
    }),
  );
});

test("values are counted without the commas in strings", () => {
  expect(measureJson('{"a":[1,2,",[\\",\\\\"],"b":{}}')).toEqual({ values: 6, depth: 2 });
  expect(measureJson('"never closed, [')).toEqual({ values: 0, depth: 0 });
});
