import { boxesOf } from "./boxes.ts";

/** Reads and corrects the init segments that mediabunny writes. */

const containers: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** Yields all boxes, including those in containers. */
function* allBoxesOf(bytes: Uint8Array): ReturnType<typeof boxesOf> {
  for (const found of boxesOf(bytes)) {
    yield found;
    if (containers.has(found.type)) yield* allBoxesOf(found.content);
  }
}

const dated: ReadonlySet<string> = new Set(["mvhd", "tkhd", "mdhd"]);

/** Clears the times of creation and change. With them, two instances would answer one address with different bytes. */
export function withoutDates(init: Uint8Array): Uint8Array {
  for (const { type, content } of allBoxesOf(init)) {
    if (!dated.has(type)) continue;
    // Two times of 4 bytes, or of 8 in version 1, follow the version and the flags.
    content.fill(0, 4, 4 + (content[0] === 1 ? 16 : 8));
  }
  return init;
}

/** A FLAC description begins with `fLaC`, the head of the first block, and that block: STREAMINFO (RFC 9639, 8.2). */
const streamInfoStart = 8;
const streamInfoEnd = 42;

/** The FLAC description with STREAMINFO only: readers of MP4 warn of the other blocks, which can hold pictures. */
export function flacDescription(description: AllowSharedBufferSource): Uint8Array {
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  const head = bytes.slice(0, streamInfoEnd);
  // Marks STREAMINFO as the last block.
  head[4] = 0x80 | (head[4] ?? 0);
  return head;
}

/**
 * Writes the real sample size into the init segment: mediabunny states 16 bits for all sound, and Chromium then refuses
 * FLAC of another size.
 */
export function withSampleSize(init: Uint8Array, description: Uint8Array): Uint8Array {
  for (const { type, content } of allBoxesOf(init)) {
    if (type !== "stsd") continue;
    const entry = 8;
    // The size of a sample less one is 5 bits, from bit 103 of STREAMINFO on.
    const [high = 0, low = 0] = description.subarray(streamInfoStart + 12);
    const bits = (((high & 1) << 4) | (low >> 4)) + 1;
    new DataView(content.buffer, content.byteOffset).setUint16(entry + 26, bits);
  }
  return init;
}

/** The timescale of the only track, in units per second. */
export function timescaleOf(init: Uint8Array): number {
  for (const { type, content } of allBoxesOf(init))
    if (type === "mdhd")
      return new DataView(content.buffer, content.byteOffset).getUint32(content[0] === 1 ? 20 : 12);
  throw new Error("the init segment has no track");
}
