import { ticksPerMs, wordAt } from "./sup.ts";

/** Reads a `.sup` file: the segments of PGS, each with a head that has its time. */

const signature = 0x5047;
const headBytes = 13;

export const isSupFile = (start: Uint8Array) => wordAt(start, 0) === signature;

/** The segments without their heads, up to the first one that is damaged or not whole. */
export function* readSupFile(file: Uint8Array): Generator<{ startMs: number; bytes: Uint8Array }> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + headBytes <= file.length; ) {
    const end = at + headBytes + view.getUint16(at + 11);
    if (view.getUint16(at) !== signature || end > file.length) return;
    yield { startMs: view.getUint32(at + 2) / ticksPerMs, bytes: file.subarray(at + 10, end) };
    at = end;
  }
}
