import { addDays, dateIn, instantAt } from "#app/domain/calendar/calendar.ts";
import { episodeLabelOf, isSingle, type TitleNames } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { clockText } from "#app/routes/views/date-format.server.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";

/** Groups the watched episodes by day in the viewer's time zone and by title, and lists each search once. */

type WatchedEpisode = TitleNames & {
  malId: number;
  ep: number;
  /** The number of the title's episodes. */
  episodes: number | null;
  episodeTitle: string | null;
  watchedAt: Date;
};
/** `name` is null for the only episode of a title. */
type WatchedItem = { ep: number; name: string | null; time: string };
/** Episodes of one title that were watched one after the other. */
export type WatchedTitle = {
  malId: number;
  name: string;
  lang?: "ja";
  drawnIn?: "en";
  path: string;
  /** Where the member continues; set only on the newest group of a title on this page. */
  watch: { label: string; path: string } | null;
  items: WatchedItem[];
};
export type HistoryDay = { date: string; label: string; titles: WatchedTitle[] };

const dateLabelOf = (date: string) =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  }).format(new Date(`${date}T12:00:00Z`));

/** "Today", "Yesterday", "Monday, 30 March 2026" */
function dayLabelOf(date: string, today: string): string {
  if (date === today) return "Today";
  return date === addDays(today, -1) ? "Yesterday" : dateLabelOf(date);
}

type DayOptions<Watched> = {
  drawnLanguageOf(title: NoInfer<Watched>, language: TitleLanguage): Pick<WatchedTitle, "drawnIn">;
  timeZone: string;
  titleLanguage: TitleLanguage;
  now: Date;
  watchOf(malId: number): WatchedTitle["watch"];
};

export function historyDays<Watched extends WatchedEpisode>(
  watched: readonly Watched[],
  { timeZone, titleLanguage, now, watchOf, drawnLanguageOf }: DayOptions<Watched>,
): HistoryDay[] {
  const days = new Map<string, HistoryDay>();
  const seen = new Set<number>();
  const today = dateIn(now, timeZone);
  for (const title of watched) {
    const { malId, ep, episodeTitle, watchedAt } = title;
    const date = dateIn(watchedAt, timeZone);
    const day = days.get(date) ?? { date, label: dayLabelOf(date, today), titles: [] };
    days.set(date, day);
    let group = day.titles.at(-1);
    if (group?.malId !== malId) {
      const watch = seen.has(malId) ? null : watchOf(malId);
      group = {
        malId,
        ...nameIn(title, titleLanguage),
        ...drawnLanguageOf(title, titleLanguage),
        path: titlePath(malId, title.title),
        watch,
        items: [],
      };
      day.titles.push(group);
      seen.add(malId);
    }
    const name = isSingle(title) ? null : episodeLabelOf({ number: ep, title: episodeTitle });
    group.items.push({ ep, name, time: clockText(watchedAt, timeZone) });
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
  const byQuery = new Map<string, { query: string; ids: string[] }>();
  for (const { id, query } of searches) {
    const key = query.trim().toLowerCase();
    const known = byQuery.get(key);
    if (known) known.ids.push(id);
    else byQuery.set(key, { query: query.trim(), ids: [id] });
  }
  return [...byQuery.values()];
}
