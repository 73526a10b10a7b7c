import { expect, test } from "vitest";
import { lonelyCardAt } from "#app/ui/lonely-card.ts";

test("a grid whose last row would have a single card gets other columns, or a wide last card if those leave a single one too", () => {
  expect(lonelyCardAt(36)).toBe("5-4 7-6");
  expect(lonelyCardAt(126)).toBe("5-4");
  expect(lonelyCardAt(13)).toBe("2-wide 3-wide 4-5 6-5");
  expect(lonelyCardAt(61)).toBe("2-wide 3-wide 4-wide 5-wide 6-7");
});

test("full rows, and a grid with one row, stay as they are", () => {
  for (const cards of [0, 1, 2]) expect(lonelyCardAt(cards)).toBe("");
  expect(lonelyCardAt(4)).toBe("3-2");
  expect(lonelyCardAt(840)).toBe("");
});
