import { addDays, dateIn, instantAt, weekdayOf } from "#app/domain/calendar/calendar.ts";
import type { Anime } from "#app/domain/catalog/catalog.ts";
import { japan, type TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { clockTime, weekdayTime } from "./moments.ts";
import { nameIn } from "./title-views.ts";

export type ScheduledItem = {
  malId: number;
  name: string;
  lang?: "ja";
  episode: number | null;
  iso: string;
  /** In the viewer's zone. */
  time: string;
  inJapan: string | null;
  isPast: boolean;
};

export type ScheduledDay = {
  date: string;
  weekday: string;
  label: string;
  isToday: boolean;
  isPast: boolean;
  items: ScheduledItem[];
};

type Airing = { anime: Anime; at: string; episode: number | null };
type View = { timeZone: string; language: TitleLanguage; now: Date };

/** What is on in a week, in order, by the days of the viewer's own calendar. */
export function weekOf(monday: string, airings: readonly Airing[], view: View): ScheduledDay[] {
  const { timeZone, language, now } = view;
  const today = dateIn(now, timeZone);
  const days = Array.from({ length: 7 }, (_, index): ScheduledDay => {
    const date = addDays(monday, index);
    return {
      date,
      weekday: weekdayOf(date),
      label: dayLabel(date),
      isToday: date === today,
      isPast: date < today,
      items: [],
    };
  });
  for (const { anime, at, episode } of airings) {
    const moment = new Date(at);
    days
      .find(({ date }) => date === dateIn(moment, timeZone))
      ?.items.push({
        malId: anime.mal_id,
        ...nameIn(anime, language),
        episode,
        iso: at,
        time: clockTime(moment, timeZone),
        inJapan: timeZone === japan ? null : weekdayTime(moment, japan).replace(/^(...)\w*/, "$1"),
        isPast: moment < now,
      });
  }
  return days;
}

const dayLabel = (date: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" }).format(
    instantAt(date, "12:00", "UTC"),
  );
