import type { Sample } from "../mp4/fragment.ts";
import type { Silence } from "../mp4/silence.ts";
import type { SegmentPiece } from "./segment-plan.ts";

/**
 * Gives the samples of a piece of an ordered edition the times at which they are played. A piece often begins between
 * two key frames. Its pictures need those before them for decoding, which must not be seen: they get the first instants
 * of the piece, each the shortest time that the segment can state. Pictures after the end of the piece that are needed
 * for decoding get its last instants.
 */

/** When the segment is played, and the piece that it belongs to. */
export type PieceCut = Pick<SegmentPiece, "shift" | "isFirst" | "isLast"> & { start: number; end: number };

export function playPictures(
  samples: readonly Sample[],
  { shift, isFirst, isLast, start, end }: PieceCut,
  timescale: number,
): Sample[] {
  const instant = 1 / timescale;
  const times = samples.map(({ seconds }) => seconds + shift);
  const order = [...times.keys()].sort((one, other) => (times[one] ?? 0) - (times[other] ?? 0));
  if (isFirst) {
    let next = start;
    for (const [place, index] of order.entries()) {
      // The picture that is shown when the piece begins has begun before it, or begins a moment later.
      const time = place === 0 ? next : Math.max(next, times[index] ?? 0);
      times[index] = time;
      next = time + instant;
    }
  }
  if (isLast) {
    let next = end;
    for (const index of order.reverse()) {
      next = Math.min(next - instant, times[index] ?? 0);
      times[index] = Math.max(0, next);
    }
  }
  const last = times.length - 1;
  return samples.map((sample, index) => {
    const seconds = times[index] ?? 0;
    const isEnd = isLast && index === last;
    return { ...sample, seconds, duration: isEnd ? Math.max(instant, end - seconds) : sample.duration };
  });
}

/** A player does not take shorter silence for a gap. */
export const minSilenceSeconds = 0.1;

/**
 * A packet belongs to the piece that plays most of it. The first and the last packet of a piece state the times at which
 * the piece begins and ends, so that sound has no gap between two pieces. Where the file has no sound, there is silence.
 */
export function playSounds(samples: readonly Sample[], cut: PieceCut, silence: Silence | null): Sample[] {
  const { shift, isFirst, isLast, start, end } = cut;
  const sameTime = 0.0004;
  const played = samples
    .map((sample) => ({ ...sample, seconds: sample.seconds + shift }))
    .filter(({ seconds, duration }) => {
      const middle = seconds + duration / 2;
      const isBegun = isFirst ? middle >= start : seconds >= start - sameTime;
      return isBegun && (isLast ? middle < end : seconds < end - sameTime);
    });
  const first = played[0];
  const last = played.at(-1);
  if (!first || !last) return silenceIn(start, end, silence);
  const lateBy = first.seconds - start;
  const before = isFirst && lateBy >= minSilenceSeconds ? silenceIn(start, first.seconds, silence) : [];
  if (isFirst && lateBy < minSilenceSeconds) {
    first.duration += lateBy;
    first.seconds = start;
  }
  const missing = end - last.seconds - last.duration;
  const after = isLast && missing >= minSilenceSeconds ? silenceIn(end - missing, end, silence) : [];
  if (isLast && missing < minSilenceSeconds) last.duration += missing;
  return [...before, ...played, ...after];
}

/** Puts silence where a segment has no sound, from `heardUntil` on. */
export function withoutHoles(
  samples: readonly Sample[],
  { heardUntil, to }: { heardUntil: number; to: number | null },
  silence: Silence,
): Sample[] {
  const filled: Sample[] = [];
  const fillUntil = (seconds: number) => {
    const isHole = seconds - heardUntil >= minSilenceSeconds && filled.length < maxFilled;
    if (isHole) filled.push(...silenceIn(heardUntil, seconds, silence));
  };
  for (const sample of samples) {
    fillUntil(sample.seconds);
    filled.push(sample);
    heardUntil = sample.seconds + sample.duration;
  }
  if (to !== null) fillUntil(to);
  return filled;
}

/** A last segment can hold any number of gaps in a hostile film. */
const maxFilled = 100_000;
/** More than a segment of AAC or Opus needs. A packet of FLAC can be as short as one sample. */
const maxSilences = 1000;

function silenceIn(start: number, end: number, silence: Silence | null): Sample[] {
  if (!silence) return [];
  const count = Math.min(maxSilences, Math.max(1, Math.floor((end - start) / silence.seconds)));
  const duration = (end - start) / count;
  return Array.from({ length: count }, (_, index) => ({
    data: silence.data,
    seconds: start + index * duration,
    duration,
    isKey: true,
  }));
}
