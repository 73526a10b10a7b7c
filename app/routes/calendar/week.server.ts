import { addDays, dateIn, instantAt, japanTimeZone, weekdayOf } from "#app/domain/calendar/calendar.ts";
import type { Airing } from "#app/domain/discovery/discovery.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import { minutes } from "#app/platform/units.ts";
import { clockText, weekdayClockText } from "#app/routes/views/date-format.server.ts";
import { drawnLanguageOf } from "#app/routes/views/title-views.server.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";

export type ScheduledItem = {
  malId: number;
  path: string;
  name: string;
  lang?: "ja";
  drawnIn?: "en";
  episode: number | null;
  iso: string;
  /** In the viewer's time zone. */
  time: string;
  /** The weekday and time in Japan; null if the day is the same there. */
  inJapan: string | null;
  /** "in 2 h", for the broadcasts of the next hours. */
  soon: string | null;
  /** The member watches the title or plans to watch it. */
  isMine: boolean;
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

type WeekViewer = { timeZone: string; language: TitleLanguage; now: Date; mine: ReadonlySet<number> };

/** The broadcasts of a week, in order, by day in the viewer's time zone. */
export function toScheduleWeek(
  monday: string,
  airings: readonly Airing[],
  viewer: WeekViewer,
): ScheduledDay[] {
  const { timeZone, language, now, mine } = viewer;
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
    const instant = new Date(at);
    days
      .find(({ date }) => date === dateIn(instant, timeZone))
      ?.items.push({
        malId: title.malId,
        path: titlePath(title.malId, title.title),
        ...nameIn(title, language),
        ...drawnLanguageOf(title, language),
        episode,
        iso: at,
        time: clockText(instant, timeZone),
        inJapan:
          dateIn(instant, timeZone) === dateIn(instant, japanTimeZone)
            ? null
            : weekdayClockText(instant, japanTimeZone).replace(/^(...)\w*/, "$1"),
        soon: soonText(instant, now),
        isMine: mine.has(title.malId),
        isPast: instant < now,
      });
  }
  return days;
}

const maxHoursAhead = 12;

function soonText(instant: Date, now: Date): string | null {
  const minutesLeft = Math.ceil((instant.getTime() - now.getTime()) / minutes(1));
  if (minutesLeft <= 0 || minutesLeft > maxHoursAhead * 60) return null;
  return minutesLeft < 60 ? `in ${minutesLeft} min` : `in ${Math.round(minutesLeft / 60)} h`;
}

const dayLabel = (date: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" }).format(
    instantAt(date, "12:00", "UTC"),
  );
