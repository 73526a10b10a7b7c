import { expect } from "vitest";

/**
 * Returns the number of frames in a segment. Throws unless the segment is complete: every box ends where it says, and
 * the frames are the last box.
 */
export function samplesOf(segment: Buffer): number {
  let at = 0;
  let type = "";
  let dataLength = 0;
  while (at < segment.length) {
    const size = segment.readUInt32BE(at);
    type = segment.toString("latin1", at + 4, at + 8);
    dataLength = size - 8;
    at += size;
  }
  expect([at, type]).toEqual([segment.length, "mdat"]);
  const run = segment.indexOf("trun");
  const count = segment.readUInt32BE(run + 8);
  // Each row consists of duration, size, flags and offset.
  const sizes = Array.from({ length: count }, (_, row) => segment.readUInt32BE(run + 16 + 16 * row + 4));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(dataLength);
  return count;
}
