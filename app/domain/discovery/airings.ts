import { isTimeZone, japanTimeZone, listBroadcastTimes } from "#app/domain/calendar/calendar.ts";
import type { AnnouncedEpisode } from "#app/domain/catalog/catalog.server.ts";
import { type AiringStatus, oneDayTypes, type Title } from "#app/domain/catalog/catalog.ts";
import { days } from "#app/platform/units.ts";

/**
 * Computes when the episodes of a title are broadcast. The schedule, the home page and the title page all use this
 * file, so that they show the same times for one title. Only the schedule lists the weeks after a postponed episode that
 * has aired, until a source announces the next one.
 */

type Broadcast = Pick<
  Title,
  "type" | "episodes" | "broadcastDay" | "broadcastTime" | "broadcastTimezone" | "airedFrom" | "airedTo"
>;

/**
 * `airedFrom` and `airedTo` are days in Japan, stored as midnight in UTC. A broadcast can therefore be shortly before
 * `airedFrom` or after `airedTo`.
 */
const toleranceBeforeRun = days(1);
const toleranceAfterRun = days(2);

/** The time in which the first and last days of a title can lie if it has a broadcast between `from` and `until`. */
export const runsAround = (from: Date, until: Date): { from: Date; until: Date } => ({
  from: new Date(from.getTime() - toleranceAfterRun),
  until: new Date(until.getTime() + toleranceBeforeRun),
});

/** The broadcasts of a title between two times, in order. */
export function listAiringTimes(
  title: Broadcast,
  announced: AnnouncedEpisode | null,
  from: Date,
  until: Date,
): Date[] {
  const { broadcastDay: day, broadcastTime: time, broadcastTimezone } = title;
  if (day === null || time === null) return [];
  // Earlier imports stored any text as the zone.
  const isKnown = broadcastTimezone !== null && isTimeZone(broadcastTimezone);
  const timeZone = isKnown ? broadcastTimezone : japanTimeZone;
  return listBroadcastTimes({ day, time, timeZone }, from, until).filter((at) =>
    isWithinRun(title, announced, at),
  );
}

function isWithinRun(title: Broadcast, announced: AnnouncedEpisode | null, at: Date): boolean {
  const time = at.getTime();
  const { airedFrom } = title;
  return (
    (airedFrom === null || time >= airedFrom.getTime() - toleranceBeforeRun) &&
    time < endOfRun(title, announced)
  );
}

/**
 * A run ends after its last episode, counted from the announced one, or after the last day that a source names. The
 * later one counts: the last day may be older than the announcement, or include a break after it. Without both, the end
 * is counted from the first day. An announced number that is above the number of episodes, perhaps continued from an
 * earlier season, does not count.
 */
function endOfRun(
  { type, episodes, airedFrom, airedTo }: Broadcast,
  announced: AnnouncedEpisode | null,
): number {
  if (announced !== null && episodes !== null && announced.episode <= episodes) {
    const lastEpisode = announced.at.getTime() + days(7) * (episodes - announced.episode);
    return Math.max(lastEpisode, airedTo?.getTime() ?? 0) + toleranceAfterRun;
  }
  if (airedTo !== null) return airedTo.getTime() + toleranceAfterRun;
  if (airedFrom === null) return Number.POSITIVE_INFINITY;
  if (type !== null && oneDayTypes.includes(type)) return airedFrom.getTime() + toleranceAfterRun;
  if (episodes === null) return Number.POSITIVE_INFINITY;
  return airedFrom.getTime() - toleranceBeforeRun + days(7) * episodes;
}

/** `episode` is null if its number is not known. */
type ScheduledEpisode = { at: Date; episode: number | null };

/**
 * The episodes of a title between two times, in order. The announced episode takes the place of the weekly broadcasts
 * from the source's answer up to it, which are skipped, and the following ones are counted from it.
 */
export function listBroadcasts(
  title: Broadcast,
  announced: AnnouncedEpisode | null,
  from: Date,
  until: Date,
): ScheduledEpisode[] {
  const weekly = listAiringTimes(title, announced, from, until).map((at) => ({
    at,
    episode: episodeNumberAt(title, at),
  }));
  if (announced === null) return weekly;
  const isCounted = agreesWithCount(title, announced);
  const others = weekly.flatMap(({ at, episode }): ScheduledEpisode[] => {
    const weeksLater = Math.round((at.getTime() - announced.at.getTime()) / days(7));
    if (weeksLater > 0) return [{ at, episode: numberIn(title, announced.episode + weeksLater) }];
    // Nothing was broadcast before a first episode.
    if (weeksLater === 0 || announced.episode === 1 || at >= announced.answeredAt) return [];
    return [{ at, episode: isCounted ? episode : null }];
  });
  const isWithin = announced.at >= from && announced.at < until;
  return [...others, ...(isWithin ? [announced] : [])].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * True if the last broadcast before the announced episode and the skipped ones has the number before it, counted from
 * the first day. Otherwise a week was skipped earlier, and nobody knows which.
 */
function agreesWithCount(title: Broadcast, announced: AnnouncedEpisode): boolean {
  const { episode, at, answeredAt } = announced;
  const until = Math.min(answeredAt.getTime(), at.getTime() - days(3.5));
  const last = listAiringTimes(title, announced, new Date(until - days(8)), new Date(until)).at(-1);
  return last !== undefined && episodeNumberAt(title, last) === episode - 1;
}

/**
 * The next episode of a title; the first one if the title has not started yet. Null after the last expected episode,
 * because nobody knows whether it was postponed, and for a title that is announced without a first day.
 */
export function findNextEpisode(
  title: Broadcast & Pick<Title, "status">,
  announced: AnnouncedEpisode | null,
  now: Date,
): ScheduledEpisode | null {
  if (announced !== null && announced.at > now) return announced;
  if (title.status === "Not yet aired" && title.airedFrom === null) return null;
  return findNextBroadcast(title, announced, now);
}

/** The next broadcast in the title's weekly slot, also if nobody knows yet in which week the title starts. */
export const findNextAiring = (title: Broadcast & Pick<Title, "status">, now: Date): Date | null =>
  findNextBroadcast(title, null, now)?.at ?? null;

function findNextBroadcast(
  title: Broadcast & Pick<Title, "status">,
  announced: AnnouncedEpisode | null,
  now: Date,
): ScheduledEpisode | null {
  if (title.status === "Finished Airing") return null;
  const runStarts = title.airedFrom === null ? 0 : title.airedFrom.getTime() - toleranceBeforeRun;
  const from = new Date(Math.max(now.getTime(), runStarts));
  // The first weekly broadcast can be the announced episode, which has aired.
  const [next] = listBroadcasts(title, announced, from, new Date(from.getTime() + days(15)));
  return next ?? null;
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

/** Counts weeks from the first broadcast. */
export function episodeNumberAt(
  { airedFrom, episodes }: Pick<Title, "airedFrom" | "episodes">,
  at: Date,
): number | null {
  if (airedFrom === null) return null;
  const weeks = Math.floor((at.getTime() - airedFrom.getTime() + toleranceBeforeRun) / days(7));
  return numberIn({ episodes }, weeks + 1);
}

/**
 * A skipped week makes a counted number wrong, so it is given only for titles whose number of episodes is known, up to
 * the last one.
 */
const numberIn = ({ episodes }: Pick<Title, "episodes">, number: number): number | null =>
  episodes !== null && number >= 1 && number <= episodes ? number : null;
