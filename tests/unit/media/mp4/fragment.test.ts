import { expect, test } from "vitest";
import { writeFragment } from "#app/media/mp4/fragment.ts";

/** The times at which the pictures of a segment are decoded and shown, in seconds. */
function timesOf(shown: readonly number[]) {
  const samples = shown.map((seconds, index) => ({
    data: Buffer.of(1),
    seconds,
    duration: 0.04,
    isKey: index === 0,
  }));
  const bytes = writeFragment({ sequence: 3, timescale: 1000, samples, isReordered: true });
  const run = bytes.indexOf("trun") + 4;
  let decoded = Number(bytes.readBigUInt64BE(bytes.indexOf("tfdt") + 8));
  return shown.map((_, index) => {
    const row = run + 12 + 16 * index;
    const times = { decoded: decoded / 1000, shown: (decoded + bytes.readInt32BE(row + 12)) / 1000 };
    decoded += bytes.readUInt32BE(row);
    return times;
  });
}

const expectInOrder = (shown: readonly number[]) => {
  const times = timesOf(shown);
  expect(times.map((time) => time.shown)).toEqual(shown);
  for (const time of times) expect(time.decoded).toBeLessThanOrEqual(time.shown);
  return times.map(({ decoded }) => decoded);
};

test("a picture is never shown before it is decoded, and is shown at its own time", () => {
  expectInOrder([0, 0.12, 0.04, 0.08, 0.24, 0.16, 0.2]);
});

test("the pictures of a slide show are decoded before they are shown, and after those of the previous segment", () => {
  const [first] = expectInOrder([60, 72, 64, 68, 84, 76, 80]);
  expect(first).toBeGreaterThanOrEqual(59.75);
});
