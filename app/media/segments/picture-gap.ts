import type { Sample } from "../mp4/fragment.ts";

const minGapSeconds = 1;
/** A still picture with ten hours of music. A damaged film can have a gap of years, and a duration has 32 bits. */
const maxHeldSeconds = 36_000;

/** Nobody notices that two pictures so close to each other change places. */
const maxSwapSeconds = 0.25;

/**
 * Shows the last picture of a segment until the next segment begins, or until the film ends, if the film has a gap there.
 * Firefox loses pictures if a long one is decoded last but not shown last, so the two then change places. `usual`: how
 * long the last picture would be shown without a gap.
 */
export function heldOverGap(
  end: number | null,
  samples: Sample[],
  usual = samples.at(-1)?.duration ?? 0,
): Sample[] {
  const last = samples.at(-1);
  if (!last || end === null) return samples;
  const shownLast = samples.reduce((one, other) => (other.seconds > one.seconds ? other : one));
  const missing = end - shownLast.seconds;
  const isTooFar = shownLast.seconds - last.seconds > maxSwapSeconds;
  if (missing < usual + minGapSeconds || isTooFar) return samples;
  const before = samples
    .slice(0, -1)
    .map((sample) => (sample === shownLast ? { ...sample, seconds: last.seconds } : sample));
  return [...before, { ...last, seconds: shownLast.seconds, duration: Math.min(missing, maxHeldSeconds) }];
}
