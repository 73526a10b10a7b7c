import { expect, test } from "vitest";
import { sizeOver } from "#app/routes/watch/player/tracks/drawn-bitmaps.ts";

const size = (width: number, height: number) => ({ width, height });
const disc = size(1920, 1080);

test.each([
  ["a film of the disc's shape", size(1600, 900), size(1280, 720), disc, size(1600, 900)],
  ["a film in the middle of a higher box", size(400, 800), size(1280, 720), disc, size(400, 225)],
  ["a wide film that was cropped above and below", size(1600, 900), size(1920, 800), disc, size(1600, 900)],
  ["a narrow film that was cropped at its sides", size(1600, 900), size(1440, 1080), disc, size(1600, 900)],
  ["a film of a DVD in 4:3", size(1600, 900), size(640, 480), size(720, 480), size(1200, 900)],
  ["a film of a DVD in 16:9", size(1600, 900), size(853, 480), size(720, 480), size(1600, 900)],
  ["a wide film of a DVD in PAL", size(1600, 900), size(1024, 436), size(720, 576), size(1600, 900)],
])("pictures cover %s", (_, box, film, screen, wanted) => {
  const { width, height } = sizeOver(box, film, screen);
  expect(width / wanted.width).toBeCloseTo(1, 2);
  expect(height / wanted.height).toBeCloseTo(1, 2);
});
