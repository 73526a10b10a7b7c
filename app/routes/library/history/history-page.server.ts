import { addDays, dateIn, instantAt } from "#app/domain/calendar/calendar.ts";
import { clockText } from "#app/ui/date-format.server.ts";

/** Groups the watched episodes by day in the viewer's time zone, and lists each search once. */

type WatchedEpisode = {
  malId: number;
  title: string;
  ep: number;
  episodeTitle: string | null;
  watchedAt: Date;
};
export type WatchedItem = {
  malId: number;
  title: string;
  ep: number;
  episodeTitle: string | null;
  time: string;
};
export type HistoryDay = { date: string; label: string; items: WatchedItem[] };

const dayLabelOf = (date: string) =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  }).format(new Date(`${date}T12:00:00Z`));

export function historyDays(watched: readonly WatchedEpisode[], timeZone: string): HistoryDay[] {
  const days = new Map<string, HistoryDay>();
  for (const { watchedAt, ...episode } of watched) {
    const date = dateIn(watchedAt, timeZone);
    const day = days.get(date) ?? { date, label: dayLabelOf(date), items: [] };
    day.items.push({ ...episode, time: clockText(watchedAt, timeZone) });
    days.set(date, day);
  }
  return [...days.values()];
}

/** From midnight to midnight, which is not always 24 hours. */
export const dayBounds = (date: string, timeZone: string) => ({
  from: instantAt(date, "00:00", timeZone),
  until: instantAt(addDays(date, 1), "00:00", timeZone),
});

type Search = { id: string; query: string };

/** Newest first. A repeated search is listed once, at its latest time, with the ids of all repeats. */
export function distinctSearches(searches: readonly Search[]): { query: string; ids: string[] }[] {
  const byQuery = new Map<string, string[]>();
  for (const { id, query } of searches) {
    const key = query.trim().toLowerCase();
    const ids = byQuery.get(key);
    if (ids) ids.push(id);
    else byQuery.set(key, [id]);
  }
  const spellings = new Map(
    searches.toReversed().map(({ query }) => [query.trim().toLowerCase(), query.trim()]),
  );
  return [...byQuery].map(([key, ids]) => ({ query: spellings.get(key) ?? key, ids }));
}
