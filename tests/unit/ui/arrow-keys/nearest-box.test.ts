import { expect, test } from "vitest";
import { type Box, type Direction, nearestBox } from "#app/ui/arrow-keys/nearest-box.ts";

const box = (left: number, top: number, width = 100, height = 50): Box => ({
  ...{ left, top },
  right: left + width,
  bottom: top + height,
});
/** Three boxes in a row, two below them, and a wide one at the end. */
const boxes = {
  one: box(0, 0),
  two: box(120, 0),
  three: box(240, 0),
  below: box(0, 80),
  belowThree: box(250, 80),
  wide: box(0, 300, 800),
};
type Name = keyof typeof boxes;

function next(from: Name, direction: Direction): Name | null {
  const others = (Object.keys(boxes) as Name[]).filter((name) => name !== from);
  const found = nearestBox(
    boxes[from],
    others.map((name) => boxes[name]),
    direction,
  );
  return found === null ? null : (others[found] ?? null);
}

test.each<[Name, Direction, Name | null]>([
  ["one", "right", "two"],
  ["two", "right", "three"],
  ["three", "left", "two"],
  ["three", "right", null],
  ["one", "up", null],
  ["one", "down", "below"],
  ["three", "down", "belowThree"],
  ["belowThree", "up", "three"],
  ["below", "right", "belowThree"],
  ["below", "down", "wide"],
  ["wide", "down", null],
  ["wide", "left", null],
])("from %s, the box to the %s is %s", (from, direction, to) => {
  expect(next(from, direction)).toBe(to);
});

test("the next row comes first, and in it the box straight ahead", () => {
  const [straight, askew, nextLine] = [box(0, 60), box(300, 60), box(300, 200)];
  expect(nearestBox(box(0, 0), [nextLine, askew, straight], "down")).toBe(2);
  expect(nearestBox(box(0, 0), [box(0, 400), askew], "down")).toBe(1);
  expect(nearestBox(box(0, 0), [askew], "right")).toBeNull();
});

test("a line far aside comes before a line well below, and in it the nearest box", () => {
  const [farther, far, below] = [box(0, 60), box(200, 60), box(1300, 240)];
  expect(nearestBox(box(1300, 0), [farther, far, below], "down")).toBe(1);
});

test("a button on a card can be reached from the card and left again", () => {
  const [card, menu, nextCard] = [box(0, 0, 200, 300), box(150, 0, 44, 44), box(220, 0, 200, 300)];
  expect(nearestBox(card, [menu, nextCard], "right")).toBe(0);
  expect(nearestBox(menu, [card, nextCard], "right")).toBe(1);
  expect(nearestBox(menu, [card, nextCard], "left")).toBe(0);
});

test("left leads along the line of buttons, and not to a wide box that touches it from above", () => {
  const position = box(8, 203, 374, 24);
  const play = box(8, 227, 44, 44);
  expect(nearestBox(box(242, 227, 44, 44), [position, play], "left")).toBe(1);
});

test("up from a card leads to the line above, and not to a shorter card beside it", () => {
  const [button, short] = [box(300, 0, 120, 48), box(220, 100, 200, 330)];
  expect(nearestBox(box(0, 100, 200, 350), [short, button], "up")).toBe(1);
  expect(nearestBox(box(0, 100, 200, 350), [short], "up")).toBeNull();
});
