/** Computes how much of a franchise is left to watch. */

type Part = {
  episodes: number | null;
  /** The length of all episodes. */
  minutes: number | null;
  /** How many episodes have been seen; `all` for a finished title, whose number of episodes may be unknown. */
  seen?: number | "all";
};

/** `isMore`: the length of some titles is not known, so the real sums are larger. */
export type Stretch = { episodes: number; minutes: number; isMore: boolean };

/** The length of all parts, without the episodes that have been seen. */
export function stretchOf(parts: readonly Part[]): Stretch {
  const sum: Stretch = { episodes: 0, minutes: 0, isMore: false };
  for (const { episodes, minutes, seen = 0 } of parts) {
    if (seen === "all") continue;
    if (episodes === null) {
      sum.isMore = true;
      continue;
    }
    const left = Math.max(0, episodes - seen);
    if (left === 0) continue;
    sum.episodes += left;
    if (minutes === null) sum.isMore = true;
    else sum.minutes += Math.round((minutes * left) / episodes);
  }
  return sum;
}
