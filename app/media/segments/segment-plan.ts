import { endOf, type Piece } from "../film/edition.ts";
import type { AudioTrack, KeyFrame } from "../film/inspection.ts";
import { canBeSilent } from "../mp4/silence.ts";

/** Divides a track into segments. Every instance makes the same plan from the same index. */

export type PlannedSegment = {
  /** In seconds. The first segment begins at 0, even if its first frame does not. */
  start: number;
  end: number;
  /** The packets that are cut: from the time `from` up to the time `to` of the file; null: up to the end. */
  from: number;
  to: number | null;
  /** The position of a cluster at or before the first packet. */
  at: number;
  /** The piece of an ordered edition that the segment belongs to. Left out: the film has no such edition. */
  piece?: SegmentPiece;
};

/** `shift`: how many seconds later than in the file the piece is played. */
export type SegmentPiece = { index: number; shift: number; isFirst: boolean; isLast: boolean };

/** The segments from `first` on that a converter makes in one run: up to the end of their piece. */
export const segmentsOfRun = (
  segments: readonly PlannedSegment[],
  first: number,
): readonly PlannedSegment[] => {
  const index = segments[first]?.piece?.index;
  const end = segments.findIndex((segment, at) => at > first && segment.piece?.index !== index);
  return segments.slice(first, end < 0 ? undefined : end);
};

/** When the segment begins in the file. The packets that are cut begin earlier if a piece does not begin at a key frame. */
export const startInFile = ({ start, from, piece }: PlannedSegment): number =>
  piece ? start - piece.shift : from;

/**
 * A converter leaves out the pictures before this time in a film that was cut without encoding it again. They are only
 * needed for decoding.
 */
export const firstShownSeconds = 0.01;

/** Shorter segments need more requests; longer segments arrive late. */
const targetSeconds = 6;

/**
 * A last segment shorter than this joins the one before it. After a seek, hls.js looks for segments with a tolerance of
 * 250 milliseconds, never loads a shorter one, and waits for it at the end of the film.
 */
export const minLastSeconds = 1;

/**
 * 50 hours of sound, and 25 of pictures, whose segments last at least half as long. A damaged or hostile film can state a
 * time millions of years away, and a plan up to there would fill the memory of the server. A plan of sound is made for
 * each part that is requested, so a long one would also keep it busy.
 */
export const maxSegments = 30_000;

/** A segment begins at a key frame, and holds as many groups of pictures as fit into the target length. */
export function planPicture(
  keyFrames: readonly KeyFrame[],
  durationSeconds: number,
  pieces: readonly Piece[] | null = null,
): PlannedSegment[] {
  if (pieces) return pieces.flatMap((piece, index) => planPicturePiece(keyFrames, piece, index));
  // An MP4 that was cut without encoding it again can have several key frames before its beginning. The last one suffices.
  const starts = segmentStarts(keyFrames.slice(indexBefore(keyFrames, 0)), durationSeconds);
  return starts.map((frame, index) => {
    const next = starts[index + 1];
    return {
      start: index === 0 ? 0 : frame.seconds,
      end: next?.seconds ?? Math.max(durationSeconds, frame.seconds + 0.001),
      from: frame.seconds,
      to: next?.seconds ?? null,
      at: frame.at,
    };
  });
}

function segmentStarts(keyFrames: readonly KeyFrame[], endSeconds: number): KeyFrame[] {
  const starts: KeyFrame[] = [];
  for (const [index, frame] of keyFrames.entries()) {
    const begun = starts.at(-1);
    const next = keyFrames[index + 1]?.seconds ?? endSeconds;
    const isLongEnough = endSeconds - frame.seconds >= minLastSeconds;
    if (!begun || (isLongEnough && next - begun.seconds > targetSeconds)) starts.push(frame);
    if (starts.length === maxSegments) break;
  }
  return starts;
}

/** Tolerance in seconds, because the clocks of films count in milliseconds. */
const sameTime = 0.0011;

/**
 * The first segment of a piece is cut from the key frame before the piece on, because its pictures cannot be decoded
 * without that. No segment is too short for a player to find.
 */
function planPicturePiece(keyFrames: readonly KeyFrame[], piece: Piece, index: number): PlannedSegment[] {
  const before = indexBefore(keyFrames, piece.from + sameTime);
  const key = keyFrames[before];
  if (!key) return [];
  const within = keyFrames.slice(before + 1, indexBefore(keyFrames, piece.to) + 1);
  const later = within.filter(({ seconds }) => seconds >= piece.from + minLastSeconds);
  const starts = segmentStarts([{ ...key, seconds: piece.from }, ...later], piece.to);
  const shift = piece.start - piece.from;
  return starts.map((frame, at) => {
    const next = starts[at + 1];
    return {
      start: frame.seconds + shift,
      end: next ? next.seconds + shift : endOf(piece),
      from: at === 0 ? key.seconds : frame.seconds,
      to: next?.seconds ?? piece.to,
      at: frame.at,
      piece: { index, shift, isFirst: at === 0, isLast: !next },
    };
  });
}

/** How much later than the picture of the same time sound can be in the file. */
export const maxInterleaveSeconds = 1;

/**
 * Sound has its own grid. No segment lies before its first packet, because it would be empty. A player stops where the
 * sound ends long before the picture, so silence follows it where the site can write silence.
 */
export function planSound(
  { span, codec, channels, beside }: Pick<AudioTrack, "span" | "codec" | "channels" | "beside">,
  keyFrames: readonly KeyFrame[],
  durationSeconds: number,
  pieces: readonly Piece[] | null = null,
): PlannedSegment[] {
  if (pieces) return pieces.flatMap((piece, index) => planSoundPiece(keyFrames, piece, index));
  const { first, last } = span ?? { first: 0, last: durationSeconds };
  const filmEnd = canBeSilent(codec, channels) ? durationSeconds : 0;
  const soundEnd = Math.max(last + 0.02, filmEnd);
  const firstEnd = targetSeconds * (Math.floor(first / targetSeconds) + 1);
  const segments: PlannedSegment[] = [];
  for (let start = 0, end = firstEnd, isLast = false; !isLast; start = end, end += targetSeconds) {
    isLast = soundEnd - end < minLastSeconds || segments.length + 1 >= maxSegments;
    const lastEnd = Math.max(start + 0.02, Math.min(soundEnd, end + minLastSeconds));
    segments.push({
      start,
      end: isLast ? lastEnd : end,
      from: start,
      // Sound beside the film can be longer than the film.
      to: isLast ? (beside ? lastEnd : null) : end,
      at: clusterBefore(keyFrames, Math.max(start, first) - maxInterleaveSeconds),
    });
  }
  return segments;
}

/** Where a piece has no sound, its segments hold silence. */
function planSoundPiece(keyFrames: readonly KeyFrame[], piece: Piece, index: number): PlannedSegment[] {
  const shift = piece.start - piece.from;
  const count = Math.max(1, Math.ceil((piece.to - piece.from - minLastSeconds) / targetSeconds));
  return Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    const from = piece.from + at * targetSeconds;
    const to = isLast ? piece.to : from + targetSeconds;
    return {
      start: from + shift,
      end: to + shift,
      from,
      to,
      at: clusterBefore(keyFrames, from - maxInterleaveSeconds),
      piece: { index, shift, isFirst: at === 0, isLast },
    };
  });
}

export const clusterBefore = (keyFrames: readonly KeyFrame[], seconds: number): number =>
  keyFrames[indexBefore(keyFrames, seconds)]?.at ?? 0;

/** The last key frame at this time or before; the first one if all are later. */
function indexBefore(keyFrames: readonly KeyFrame[], seconds: number): number {
  let low = 0;
  let high = keyFrames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((keyFrames[middle]?.seconds ?? 0) <= seconds) low = middle;
    else high = middle - 1;
  }
  return low;
}
