import { japanTimeZone, listBroadcastTimes } from "#app/domain/calendar/calendar.ts";
import type { AiringStatus, Title } from "#app/domain/catalog/catalog.ts";
import { days } from "#app/platform/units.ts";

/**
 * Computes when a title is broadcast. The schedule, the home page and the title page all use this file, so that they
 * show the same times for one title.
 */

type Broadcast = Pick<
  Title,
  "broadcastDay" | "broadcastTime" | "broadcastTimezone" | "airedFrom" | "airedTo"
>;

/**
 * `airedFrom` and `airedTo` are days in Japan, stored as midnight in UTC. A broadcast can therefore be shortly before
 * `airedFrom` or after `airedTo`.
 */
const toleranceBeforeRun = days(1);
const toleranceAfterRun = days(2);

/** The broadcasts of a title between two times, in order. */
export function listAiringTimes(title: Broadcast, from: Date, until: Date): Date[] {
  const { broadcastDay: day, broadcastTime: time, broadcastTimezone: timeZone } = title;
  if (day === null || time === null) return [];
  return listBroadcastTimes({ day, time, timeZone: timeZone ?? japanTimeZone }, from, until).filter((at) =>
    isWithinRun(title, at),
  );
}

function isWithinRun({ airedFrom, airedTo }: Broadcast, at: Date): boolean {
  const time = at.getTime();
  return (
    (airedFrom === null || time >= airedFrom.getTime() - toleranceBeforeRun) &&
    (airedTo === null || time < airedTo.getTime() + toleranceAfterRun)
  );
}

/**
 * The next broadcast of a title; the first one if the title has not started yet. Null after the last expected episode,
 * because nobody knows whether it was postponed.
 */
export function findNextAiring(
  title: Broadcast & Pick<Title, "status" | "episodes">,
  now: Date,
): Date | null {
  if (title.status === "Finished Airing") return null;
  const runStarts = title.airedFrom === null ? 0 : title.airedFrom.getTime() - toleranceBeforeRun;
  const from = new Date(Math.max(now.getTime(), runStarts));
  const [at] = listAiringTimes(title, from, new Date(from.getTime() + days(8)));
  if (at === undefined) return null;
  const hasCount = title.airedFrom !== null && title.airedTo === null && title.episodes !== null;
  return hasCount && episodeNumberAt(title, at) === null ? null : at;
}

/**
 * The status of a title whose next episode a source has announced. The catalog's dates may be older or less exact than
 * that announcement.
 */
export function statusWithNext(
  status: AiringStatus,
  next: { episode: number; at: Date } | null,
  now: Date,
): AiringStatus {
  if (next === null || next.at <= now) return status;
  if (next.episode > 1) return "Currently Airing";
  // A finished title can begin once more elsewhere.
  return status === "Finished Airing" ? status : "Not yet aired";
}

/**
 * Counts weeks from the first broadcast. A skipped week makes the number wrong, so it is given only for titles whose
 * number of episodes is known.
 */
export function episodeNumberAt(
  { airedFrom, episodes }: Pick<Title, "airedFrom" | "episodes">,
  at: Date,
): number | null {
  if (airedFrom === null || episodes === null) return null;
  const number = Math.floor((at.getTime() - airedFrom.getTime() + toleranceBeforeRun) / days(7)) + 1;
  return number >= 1 && number <= episodes ? number : null;
}
