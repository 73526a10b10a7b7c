import { dateIn, japanTimeZone, timeFormat } from "#app/domain/calendar/calendar.ts";
import { countText } from "#app/platform/count-text.ts";
import { days, hours, minutes } from "#app/platform/units.ts";
import { cityOf } from "./time-zones.server.ts";

/**
 * Dates and times as text. Loaders format them, not components: browsers format some dates differently from the server,
 * and the text of a page must not change during hydration.
 */

export const clockText = (instant: Date, timeZone: string) =>
  timeFormat(timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(instant);

export const weekdayClockText = (instant: Date, timeZone: string) =>
  `${timeFormat(timeZone, { weekday: "long" }).format(instant)} ${clockText(instant, timeZone)}`;

/** "6 January, 02:55" */
export const dayClockText = (instant: Date, timeZone: string) =>
  `${timeFormat(timeZone, { day: "numeric", month: "long" }).format(instant)}, ${clockText(instant, timeZone)}`;

/** Dates of the catalog are calendar dates without a time zone, so every viewer sees the same one. */
export const dateText = (date: Date) =>
  timeFormat("UTC", { day: "numeric", month: "long", year: "numeric" }).format(date);

/** The viewer's day on which something happened on this site. */
export const dayOfText = (instant: Date, timeZone: string) =>
  timeFormat(timeZone, { day: "numeric", month: "long", year: "numeric" }).format(instant);

/**
 * The day on which an episode aired, in Japan. Some sources know only that day. It is stored as midnight in UTC, which is
 * on the same day in Japan.
 */
export const episodeDayText = (airedAt: Date) => dayOfText(airedAt, japanTimeZone);

/** "3 Mar", for places that show the year elsewhere. */
export const dayText = (date: Date) => timeFormat("UTC", { day: "numeric", month: "short" }).format(date);

/** "3 Mar 2025" */
export const shortDateText = (date: Date) =>
  timeFormat("UTC", { day: "numeric", month: "short", year: "numeric" }).format(date);

/** "Berlin time": people recognize a city more easily than an offset. */
export function timeZoneLabel(timeZone: string): string {
  if (timeZone === japanTimeZone) return "Japan time";
  if (timeZone === "UTC") return "UTC";
  return `${cityOf(timeZone)} time`;
}

export type AiringTexts = { here: string; inJapan: string | null };

/** A weekly broadcast, "Saturday 16:00": in the viewer's time zone, and in Japan's if the two differ. */
export const airingTexts = (at: Date, timeZone: string): AiringTexts => ({
  here: weekdayClockText(at, timeZone),
  inJapan: timeZone === japanTimeZone ? null : weekdayClockText(at, japanTimeZone),
});

/** "in 51 days", "tomorrow"; null once it is past. Counts from the viewer's own day, as `date` is a calendar date. */
export function daysUntilText(date: Date, now: Date, timeZone: string): string | null {
  const left = (Date.parse(dateIn(date, "UTC")) - Date.parse(dateIn(now, timeZone))) / days(1);
  if (left < 0) return null;
  if (left === 0) return "today";
  return left === 1 ? "tomorrow" : `in ${left} days`;
}

const agoSteps: [milliseconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [days(1), "day"],
  [hours(1), "hour"],
  [minutes(1), "minute"],
];

/** "7 days", "12 hours"; at least "1 minute". */
export function spanText(milliseconds: number): string {
  const [length, unit] = agoSteps.find(([length]) => milliseconds >= length) ?? [minutes(1), "minute"];
  return countText(Math.max(1, Math.round(milliseconds / length)), unit);
}

/** "3 hours ago"; "just now" within the minute. */
export function timeAgoText(instant: Date, now: Date): string {
  const elapsed = now.getTime() - instant.getTime();
  const step = agoSteps.find(([length]) => elapsed >= length);
  if (step === undefined) return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(
    -Math.floor(elapsed / step[0]),
    step[1],
  );
}
