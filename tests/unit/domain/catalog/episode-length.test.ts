import { expect, test } from "vitest";
import { minutesIn } from "#app/domain/catalog/episode-length.ts";

test.each([
  ["24 min per ep", 24],
  ["1 hr 55 min", 115],
  ["2 hr", 120],
  ["45 sec per ep", 0],
  ["Unknown", null],
  ["", null],
  [null, null],
])("the length %j is read as %j minutes", (length, minutes) => {
  expect(minutesIn(length)).toBe(minutes);
});
