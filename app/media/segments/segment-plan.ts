import type { AudioTrack, KeyFrame } from "../film/inspection.ts";

/** Divides a track into segments. Every instance makes the same plan from the same index. */

export type PlannedSegment = {
  /** In seconds. The first segment begins at 0, even if its first frame does not. */
  start: number;
  end: number;
  /** The packets that are cut: from the time `from` up to the time `to`; null: up to the end. */
  from: number;
  to: number | null;
  /** The position of a cluster at or before the first packet. */
  at: number;
};

/** Shorter segments need more requests; longer segments arrive late. */
const targetSeconds = 6;

/**
 * A last segment shorter than this joins the one before it. After a seek, hls.js looks for segments with a tolerance of
 * 250 milliseconds, never loads a shorter one, and waits for it at the end of the film.
 */
export const minLastSeconds = 1;

/** A segment begins at a key frame, and holds as many groups of pictures as fit into the target length. */
export function planPicture(keyFrames: readonly KeyFrame[], durationSeconds: number): PlannedSegment[] {
  const starts: KeyFrame[] = [];
  for (const [index, frame] of keyFrames.entries()) {
    const begun = starts.at(-1);
    const next = keyFrames[index + 1]?.seconds ?? durationSeconds;
    const isLongEnough = durationSeconds - frame.seconds >= minLastSeconds;
    if (!begun || (isLongEnough && next - begun.seconds > targetSeconds)) starts.push(frame);
  }
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

/** How much later than the picture of the same time sound can be in the file. */
const maxInterleaveSeconds = 1;

/** Sound has its own grid. No segment lies before its first packet or after its last, because it would be empty. */
export function planSound(
  { span }: Pick<AudioTrack, "span">,
  keyFrames: readonly KeyFrame[],
  durationSeconds: number,
): PlannedSegment[] {
  const { first, last } = span ?? { first: 0, last: durationSeconds };
  const firstEnd = targetSeconds * (Math.floor(first / targetSeconds) + 1);
  const segments: PlannedSegment[] = [];
  for (let start = 0, end = firstEnd, isLast = false; !isLast; start = end, end += targetSeconds) {
    isLast = last - end < minLastSeconds;
    segments.push({
      start,
      end: isLast ? Math.max(last, start) + 0.02 : end,
      from: start,
      to: isLast ? null : end,
      at: clusterBefore(keyFrames, Math.max(start, first) - maxInterleaveSeconds),
    });
  }
  return segments;
}

export function clusterBefore(keyFrames: readonly KeyFrame[], seconds: number): number {
  let [low, high] = [0, keyFrames.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((keyFrames[middle]?.seconds ?? 0) <= seconds) low = middle;
    else high = middle - 1;
  }
  return keyFrames[low]?.at ?? 0;
}
