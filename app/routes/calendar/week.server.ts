import { addDays, dateIn, instantAt, japanTimeZone, weekdayOf } from "#app/domain/calendar/calendar.ts";
import type { Airing } from "#app/domain/discovery/discovery.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { clockText, weekdayClockText } from "#app/ui/date-format.server.ts";
import { nameIn } from "#app/ui/titles/title.ts";

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

type View = { timeZone: string; language: TitleLanguage; now: Date };

/** What is on in a week, in order, by the days of the viewer's own calendar. */
export function toScheduleWeek(monday: string, airings: readonly Airing[], view: View): ScheduledDay[] {
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
  for (const { title, at, episode } of airings) {
    const moment = new Date(at);
    days
      .find(({ date }) => date === dateIn(moment, timeZone))
      ?.items.push({
        malId: title.malId,
        ...nameIn(title, language),
        episode,
        iso: at,
        time: clockText(moment, timeZone),
        inJapan:
          timeZone === japanTimeZone
            ? null
            : weekdayClockText(moment, japanTimeZone).replace(/^(...)\w*/, "$1"),
        isPast: moment < now,
      });
  }
  return days;
}

const dayLabel = (date: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" }).format(
    instantAt(date, "12:00", "UTC"),
  );
