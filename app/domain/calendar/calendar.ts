import { days } from "#app/platform/units.ts";
import { seasons, weekdays } from "#db/schema/enumerations.ts";

/**
 * Days, weeks and seasons in a place. Wall-clock times and instants are kept apart: a date is text, `YYYY-MM-DD`,
 * and only `instantAt` turns one into a moment, so that weeks with a changed clock come out right.
 */

type Season = (typeof seasons)[number];
type Weekday = (typeof weekdays)[number];

/** A season of a certain year. */
export type AnimeSeason = { year: number; season: Season };

/** A weekly place in a broadcaster's programme, in the broadcaster's own time. */
type BroadcastSlot = { day: Weekday; time: string; timeZone: string };

/** Broadcasts without a time zone are in this one, and so is every time until the viewer's own zone is known. */
export const japanTimeZone = "Asia/Tokyo";

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** The wall clock's reading as if it were UTC: the difference to the instant is the zone's offset then. */
function readingAt(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of wallClock(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** When a clock in that zone shows this. A reading that is skipped is taken as the moment after the jump. */
export function instantAt(date: string, time: string, timeZone: string): Date {
  const reading = Date.parse(`${date}T${time}:00Z`);
  const offsets = [reading - days(1), reading + days(1)].map((near) => readingAt(near, timeZone) - near);
  const candidates = offsets.map((offset) => reading - offset).sort((a, b) => a - b);
  const exact = candidates.find((candidate) => readingAt(candidate, timeZone) === reading);
  return new Date(exact ?? candidates.at(-1) ?? reading);
}

export const dateIn = (instant: Date, timeZone: string): string =>
  new Date(readingAt(Math.floor(instant.getTime() / 1000) * 1000, timeZone)).toISOString().slice(0, 10);

export const addDays = (date: string, count: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days(count)).toISOString().slice(0, 10);

const dayIndex = (date: string) => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

export const weekdayOf = (date: string): Weekday => weekdays[dayIndex(date)] as Weekday;

export const mondayOf = (date: string): string => addDays(date, -dayIndex(date));

/** Text that is a date of the calendar, else null. Its neighbours, too, have a year of four digits. */
export function parseDate(text: string): string | null {
  if (!/^(?!0000|9999)\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

/** From the first moment of a week to the first of the next; 167 or 169 hours where the clocks change. */
export function weekBounds(monday: string, timeZone: string): { from: Date; until: Date } {
  return {
    from: instantAt(monday, "00:00", timeZone),
    until: instantAt(addDays(monday, 7), "00:00", timeZone),
  };
}

/** Every moment the slot comes up in that span. */
export function listBroadcastTimes({ day, time, timeZone }: BroadcastSlot, from: Date, until: Date): Date[] {
  const moments: Date[] = [];
  const last = addDays(dateIn(until, timeZone), 1);
  for (let date = addDays(dateIn(from, timeZone), -1); date <= last; date = addDays(date, 1)) {
    if (weekdayOf(date) !== day) continue;
    const moment = instantAt(date, time, timeZone);
    if (moment >= from && moment < until) moments.push(moment);
  }
  return moments;
}

/** Seasons begin in January, April, July and October, by Japan's calendar. */
export function seasonAt(instant: Date): AnimeSeason {
  const [year = 0, month = 1] = dateIn(instant, japanTimeZone).split("-").map(Number);
  return { year, season: seasons[Math.floor((month - 1) / 3)] as Season };
}

export const seasonLabel = ({ year, season }: AnimeSeason) => `${season} ${year}`;

export function shiftSeason({ year, season }: AnimeSeason, by: number): AnimeSeason {
  const count = year * 4 + seasons.indexOf(season) + by;
  return { year: Math.floor(count / 4), season: seasons[((count % 4) + 4) % 4] as Season };
}
