import type { KeyFrame } from "../film/inspection.ts";

/** Packs key frames for the database: time and position in 16 bytes each. */

export function packKeyFrames(frames: readonly KeyFrame[]): Buffer {
  const bytes = Buffer.alloc(16 * frames.length);
  for (const [index, { seconds, at }] of frames.entries()) {
    bytes.writeDoubleLE(seconds, 16 * index);
    bytes.writeDoubleLE(at, 16 * index + 8);
  }
  return bytes;
}

export const unpackKeyFrames = (bytes: Buffer): KeyFrame[] =>
  Array.from({ length: Math.floor(bytes.length / 16) }, (_, index) => ({
    seconds: bytes.readDoubleLE(16 * index),
    at: bytes.readDoubleLE(16 * index + 8),
  }));
