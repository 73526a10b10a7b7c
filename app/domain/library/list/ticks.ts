/** The episodes that a member has ticked, as ascending runs that neither overlap nor touch: `[[1, 12], [14, 14]]`. */
export type Ticks = readonly (readonly [first: number, last: number])[];

/** The highest ticked episode. Lists, imports and the API call it progress. */
export const progressOf = (ticks: Ticks): number => ticks.at(-1)?.[1] ?? 0;

export const ticksUpTo = (progress: number): Ticks => (progress > 0 ? [[1, progress]] : []);

export const isTicked = (ticks: Ticks, episode: number): boolean =>
  ticks.some(([first, last]) => first <= episode && episode <= last);

/** More runs than the episodes of any series have. An entry with more would take megabytes of memory. */
export const maxTickRuns = 2000;

/** Joins runs in any order. They may overlap. If too many runs are left, all episodes up to the last one are ticked. */
export function joinTicks(...runs: readonly Ticks[]): Ticks {
  const joined: [number, number][] = [];
  for (const [first, last] of runs.flat().sort(([one], [other]) => one - other)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined.length > maxTickRuns ? ticksUpTo(progressOf(joined)) : joined;
}

export const tick = (ticks: Ticks, episode: number): Ticks => joinTicks(ticks, [[episode, episode]]);

export const untick = (ticks: Ticks, episode: number): Ticks =>
  ticks.flatMap(([first, last]): Ticks => {
    if (episode < first || episode > last) return [[first, last]];
    const left: Ticks = [
      [first, episode - 1],
      [episode + 1, last],
    ];
    return left.filter(([start, end]) => start <= end);
  });

export const ticksAfter = (ticks: Ticks, episode: number): Ticks =>
  ticks.flatMap(([first, last]): Ticks => (last <= episode ? [] : [[Math.max(first, episode + 1), last]]));

export const ticksWithin = (ticks: Ticks, lastEpisode: number): Ticks =>
  ticks.flatMap(
    ([first, last]): Ticks => (first > lastEpisode ? [] : [[first, Math.min(last, lastEpisode)]]),
  );
