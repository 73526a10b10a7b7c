import { addDays, dateIn, instantAt, mondayOf, weekBounds } from "#app/domain/calendar/calendar.ts";
import {
  listAnnouncedTitles,
  listSeriesWithoutSlot,
  listTitlesWithSlot,
  type TitleOnAir,
} from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Viewer, viewerKey } from "#app/domain/visibility/visibility.server.ts";
import { minutes } from "#app/platform/units.ts";
import { findNextEpisode, listAiringTimes, listBroadcasts, runsAround } from "./airings.ts";

export type Airing = {
  title: Title;
  /** ISO 8601 */
  at: string;
  episode: number | null;
};
type Schedule = {
  airings: Airing[];
  /** The titles of these airings, and those that skip a week. */
  onAir: TitleOnAir[];
  /** Titles on air in that time without a known broadcast slot. */
  unslotted: Title[];
};

const schedules = cachePerVersion<Schedule>(20, minutes(5));

/** The airings between two times, in order. The times are at most a week apart. */
export function listAirings(from: Date, until: Date, viewer: Viewer): Promise<Schedule> {
  return schedules(`${from.getTime()} ${until.getTime()} ${viewerKey(viewer)}`, async () => {
    const [withSlot, announced, withoutSlot] = await Promise.all([
      listTitlesWithSlot(runsAround(from, until), viewer),
      listAnnouncedTitles({ from, until }, viewer),
      listSeriesWithoutSlot({ from, until }, viewer),
    ]);
    const byId = new Map([...withSlot, ...announced].map((one) => [one.title.malId, one]));
    const onAir: TitleOnAir[] = [];
    const airings: Airing[] = [];
    for (const one of byId.values()) {
      const episodes = listBroadcasts(one.title, one.announced, from, until);
      if (episodes.length > 0 || listAiringTimes(one.title, one.announced, from, until).length > 0)
        onAir.push(one);
      airings.push(...episodes.map((episode) => toAiring(one.title, episode)));
    }
    return {
      airings: airings.sort(byTime),
      onAir,
      unslotted: withoutSlot.filter(({ malId }) => !byId.has(malId)),
    };
  });
}

const toAiring = (title: Title, { at, episode }: { at: Date; episode: number | null }): Airing => ({
  title,
  at: at.toISOString(),
  episode,
});

const byTime = (one: Airing, other: Airing) =>
  one.at.localeCompare(other.at) || one.title.malId - other.title.malId;

/**
 * The titles that are broadcast today, the most popular first. Today is the day in the viewer's time zone, where a
 * broadcast at night in Japan can be in the afternoon.
 */
export async function listAiringToday(
  now: Date,
  { timeZone, viewer, limit }: { timeZone: string; viewer: Viewer; limit: number },
): Promise<Title[]> {
  const today = dateIn(now, timeZone);
  // Asks for the whole week, because the schedule page does too and both then share one cached result.
  const { from, until } = weekBounds(mondayOf(today), timeZone);
  const { airings } = await listAirings(from, until, viewer);
  const begin = startOf(today, timeZone);
  const end = startOf(addDays(today, 1), timeZone);
  const titles = airings.filter(({ at }) => begin <= at && at < end).map(({ title }) => title);
  return [...new Set(titles)].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, limit);
}

/** The titles that are broadcast in this week of the viewer's time zone, also those that skip it. */
export async function listTitlesOnAirThisWeek(
  now: Date,
  { timeZone, viewer }: { timeZone: string; viewer: Viewer },
): Promise<TitleOnAir[]> {
  const { from, until } = weekBounds(mondayOf(dateIn(now, timeZone)), timeZone);
  return (await listAirings(from, until, viewer)).onAir;
}

/** The next episode of each title that has one, in the order of the broadcasts. */
export function nextAiringsOf(titles: readonly TitleOnAir[], now: Date): Airing[] {
  const next = titles.flatMap(({ title, announced }): Airing[] => {
    const episode = findNextEpisode(title, announced, now);
    return episode ? [toAiring(title, episode)] : [];
  });
  return next.sort(byTime);
}

const startOf = (day: string, timeZone: string) => instantAt(day, "00:00", timeZone).toISOString();

const rankOf = ({ popularity }: Title) => popularity ?? Number.POSITIVE_INFINITY;
