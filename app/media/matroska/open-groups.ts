import type { FilmBytes } from "../film/film-bytes.ts";
import type { KeyFrame } from "../film/inspection.ts";
import { blocksFrom, nanoseconds } from "./clusters.ts";

/**
 * Finds out whether an H.264 track has open groups of pictures: some of its key frames are not IDR pictures, so
 * pictures after such a key frame may need pictures before it.
 */

/** Types of NAL units (ITU-T H.264, table 7-1). */
const slice = 1;
const idrSlice = 5;
/** All muxers write lengths of four bytes before the units. */
const lengthBytes = 4;
const maxUnits = 100;
const maxBlocks = 2000;

type Track = { number: number; timestampScale: number };

export function hasOpenGroups(film: FilmBytes, track: Track, keyFrames: readonly KeyFrame[]): boolean {
  return examined(keyFrames).some((keyFrame) => beginsWithoutIdr(film, track, keyFrame));
}

/**
 * Selects three key frames to examine, which suffice. The film's first key frame is left out, because it is always an
 * IDR picture.
 */
export function examined(keyFrames: readonly KeyFrame[]): KeyFrame[] {
  const indexes = new Set([1, Math.floor(keyFrames.length / 2), keyFrames.length - 1]);
  return [...indexes].flatMap((index) => (index > 0 ? (keyFrames[index] ?? []) : []));
}

function beginsWithoutIdr(film: FilmBytes, track: Track, keyFrame: KeyFrame): boolean {
  const block = findBlock(film, track, keyFrame);
  return block !== null && firstSliceOf(film, block.dataAt, block.end) === slice;
}

/**
 * Whether the index lists pictures that are no key frames. Some programs list every picture. Others mark no picture as a
 * key frame, not even the first one.
 */
export function listsOtherPictures(film: FilmBytes, track: Track, listed: readonly KeyFrame[]): boolean {
  const isMarked = (one: KeyFrame) => findBlock(film, track, one)?.isKeyFrame;
  return listed.slice(0, 1).some(isMarked) && examined(listed).some((one) => isMarked(one) === false);
}

function findBlock(film: FilmBytes, track: Track, { seconds, at }: KeyFrame) {
  const ticks = Math.round(seconds / (track.timestampScale * nanoseconds));
  let count = 0;
  for (const block of blocksFrom(film, at)) {
    if (block.track === track.number && block.ticks === ticks) return block;
    if (++count > maxBlocks || block.clusterAt !== at) break;
  }
  return null;
}

/** Whether a picture that the film marks as a key frame is not an IDR picture. */
export const isOpen = (picture: Uint8Array): boolean => {
  const film = {
    size: picture.length,
    read: (at: number, length: number) => picture.subarray(at, at + length),
  };
  return firstSliceOf(film, 0, picture.length) === slice;
};

/** The type of the first slice of a picture. Null: the bytes are not NAL units, or not complete ones. */
function firstSliceOf(film: FilmBytes, from: number, end: number): number | null {
  let sliceType: number | null = null;
  let at = from;
  for (let count = 0; at < end && count < maxUnits; count++) {
    const head = film.read(at, lengthBytes + 1);
    if (head.length <= lengthBytes) return null;
    const type = (head[lengthBytes] ?? 0) & 31;
    if (sliceType === null && (type === slice || type === idrSlice)) sliceType = type;
    at += lengthBytes + new DataView(head.buffer, head.byteOffset).getUint32(0);
  }
  return at === end ? sliceType : null;
}
