import fc from "fast-check";
import { expect, test } from "vitest";
import { measureJson } from "#app/domain/library/files/json-measure.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("measures any JSON without being misled by what stands in its strings", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(measureJson(JSON.stringify(value)).depth).toBe(depthOf(value));
    }),
  );
});

test("counts values, not the commas of texts", () => {
  expect(measureJson('{"a":[1,2,",[\\",\\\\"],"b":{}}')).toEqual({ values: 6, depth: 2 });
  expect(measureJson('"never closed, [')).toEqual({ values: 0, depth: 0 });
});
