import { addDays, dateIn, instantAt, mondayOf, weekBounds } from "#app/domain/calendar/calendar.ts";
import { listSeriesWithoutSlot, listTitlesWithSlot } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Viewer, viewerKey } from "#app/domain/visibility/visibility.server.ts";
import { minutes } from "#app/platform/units.ts";
import { episodeNumberAt, findNextAiring, listAiringTimes, runsAround } from "./airings.ts";

export type Airing = {
  title: Title;
  /** ISO 8601 */
  at: string;
  episode: number | null;
};
type Schedule = {
  airings: Airing[];
  /** Titles on air in that time without a known broadcast slot. */
  unslotted: Title[];
};

const schedules = cachePerVersion<Schedule>(20, minutes(5));

/** The airings between two times, in order. The times are at most a week apart. */
export function listAirings(from: Date, until: Date, viewer: Viewer): Promise<Schedule> {
  return schedules(`${from.getTime()} ${until.getTime()} ${viewerKey(viewer)}`, async () => {
    const [withSlot, withoutSlot] = await Promise.all([
      listTitlesWithSlot(runsAround(from, until), viewer),
      listSeriesWithoutSlot({ from, until }, viewer),
    ]);
    const airings = withSlot.flatMap((title) =>
      listAiringTimes(title, from, until).map((at) => ({
        title,
        at: at.toISOString(),
        episode: episodeNumberAt(title, at),
      })),
    );
    airings.sort((a, b) => a.at.localeCompare(b.at) || a.title.malId - b.title.malId);
    return { airings, unslotted: withoutSlot };
  });
}

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

/** The titles that are broadcast in this week of the viewer's time zone. */
export async function listTitlesOnAirThisWeek(
  now: Date,
  { timeZone, viewer }: { timeZone: string; viewer: Viewer },
): Promise<Title[]> {
  const { from, until } = weekBounds(mondayOf(dateIn(now, timeZone)), timeZone);
  const { airings } = await listAirings(from, until, viewer);
  return [...new Set(airings.map(({ title }) => title))];
}

/** The next broadcast of each title that has one, in the order of the broadcasts. */
export function nextAiringsOf(titles: readonly Title[], now: Date): Airing[] {
  const next = titles.flatMap((title): Airing[] => {
    const at = findNextAiring(title, now);
    return at ? [{ title, at: at.toISOString(), episode: episodeNumberAt(title, at) }] : [];
  });
  return next.sort((a, b) => a.at.localeCompare(b.at) || a.title.malId - b.title.malId);
}

const startOf = (day: string, timeZone: string) => instantAt(day, "00:00", timeZone).toISOString();

const rankOf = ({ popularity }: Title) => popularity ?? Number.POSITIVE_INFINITY;
