import fc from "fast-check";
import { expect, test } from "vitest";
import { cropAfterDrag, cropBox, wholeCrop } from "#app/ui/profile/crop.ts";

const size = fc.record({
  width: fc.integer({ min: 1, max: 8000 }),
  height: fc.integer({ min: 1, max: 8000 }),
});
const crop = fc.record({
  zoom: fc.double({ min: -1, max: 9, noNaN: true }),
  x: fc.double({ min: -2, max: 3, noNaN: true }),
  y: fc.double({ min: -2, max: 3, noNaN: true }),
});

test("a crop has the requested shape and lies within the picture, however it is dragged", () => {
  fc.assert(
    fc.property(size, size, crop, fc.integer({ min: -999, max: 999 }), (picture, shape, at, by) => {
      const box = cropBox(picture, shape, cropAfterDrag(at, picture, shape, 300, { x: by, y: -by }));
      expect(box.width / box.height).toBeCloseTo(shape.width / shape.height, 6);
      expect(box.left).toBeGreaterThanOrEqual(-1e-6);
      expect(box.top).toBeGreaterThanOrEqual(-1e-6);
      expect(box.left + box.width).toBeLessThanOrEqual(picture.width + 1e-6);
      expect(box.top + box.height).toBeLessThanOrEqual(picture.height + 1e-6);
    }),
  );
});

test("the first crop is the largest one in the middle, and dragging moves it", () => {
  const [picture, shape] = [
    { width: 400, height: 200 },
    { width: 100, height: 100 },
  ];
  expect(cropBox(picture, shape, wholeCrop)).toEqual({ width: 200, height: 200, left: 100, top: 0 });
  const moved = cropAfterDrag(wholeCrop, picture, shape, 100, { x: 10, y: 0 });
  expect(cropBox(picture, shape, moved).left).toBeCloseTo(80);
});
