import type { AudioTrack, KeyFrame } from "../film/inspection.ts";

/** Divides a track into segments. Every instance makes the same plan from the same index. */

export type PlannedSegment = {
  /** In seconds. The first one begins at 0, whatever its first frame does. */
  start: number;
  end: number;
  /** What is cut: from this time on, and up to that one; null: up to the end. */
  from: number;
  to: number | null;
  /** A cluster at or before the first packet. */
  at: number;
};

/** Shorter ones cost a request each; longer ones are late. */
const targetSeconds = 6;

/** A segment begins at a key frame, and holds as many groups of pictures as fit into the target. */
export function planPicture(keyFrames: readonly KeyFrame[], durationSeconds: number): PlannedSegment[] {
  const starts: KeyFrame[] = [];
  for (const [index, frame] of keyFrames.entries()) {
    const begun = starts.at(-1);
    const next = keyFrames[index + 1]?.seconds ?? durationSeconds;
    if (!begun || next - begun.seconds > targetSeconds) starts.push(frame);
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

/** How much later than the picture beside it sound can stand in the file. */
const maxInterleaveSeconds = 1;

/** Sound has a grid of its own. Before its first packet and behind its last there is no segment, since it would be empty. */
export function planSound(
  { span }: Pick<AudioTrack, "span">,
  keyFrames: readonly KeyFrame[],
  durationSeconds: number,
): PlannedSegment[] {
  const { first, last } = span ?? { first: 0, last: durationSeconds };
  const firstEnd = targetSeconds * (Math.floor(first / targetSeconds) + 1);
  const segments: PlannedSegment[] = [];
  for (let start = 0, end = firstEnd; start <= last; start = end, end += targetSeconds) {
    const isLast = end > last;
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
