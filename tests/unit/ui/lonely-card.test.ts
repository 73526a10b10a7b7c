import { expect, test } from "vitest";
import { lonelyCardAt } from "#app/ui/lonely-card.ts";

test("a grid whose last row would be one card alone names the numbers of columns", () => {
  expect(lonelyCardAt(36)).toBe("5 7");
  expect(lonelyCardAt(126)).toBe("5");
  expect(lonelyCardAt(13)).toBe("2 3 4 6");
});

test("full rows, and a grid with one row, name none", () => {
  for (const cards of [0, 1, 2]) expect(lonelyCardAt(cards)).toBe("");
  expect(lonelyCardAt(4)).toBe("3");
  expect(lonelyCardAt(840)).toBe("");
});
