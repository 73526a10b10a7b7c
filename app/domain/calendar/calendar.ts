import { days } from "#app/platform/units.ts";
import { type Season, seasons, type Weekday, weekdays } from "#db/schema/enumerations.ts";

/**
 * Days, weeks and seasons in a time zone. A date is text (`YYYY-MM-DD`), and only `instantAt` turns it into an instant.
 * Adding hours to an instant instead would be wrong in weeks in which the clocks change.
 */

export type AnimeSeason = { year: number; season: Season };

/** Weekday and time are in the broadcaster's time zone. */
type BroadcastSlot = { day: Weekday; time: string; timeZone: string };

/** Used for broadcasts without a time zone, and for all times until the viewer's time zone is known. */
export const japanTimeZone = "Asia/Tokyo";

/**
 * A cache of valid zone names. Every visitor's request names a zone in its cookie, and creating a format to check the
 * name takes longer than serving a cached page.
 */
const knownZones = new Set<string>();
/** Zone names are case-insensitive, so visitors could fill the memory with spellings of one zone. */
const maxKnownZones = 1000;
/** The limit of cached formats, each of which takes 37 kB. */
const maxFormats = 300;

function makeRoom(cache: Set<string> | Map<string, unknown>, max: number) {
  const [oldest] = cache.keys();
  if (oldest !== undefined && cache.size >= max) cache.delete(oldest);
}

export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    makeRoom(knownZones, maxKnownZones);
    knownZones.add(name);
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating a format takes fifty times as long as using it, and the schedule shows a hundred times. */
export function timeFormat(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([timeZone, options]);
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", { timeZone, ...options });
  makeRoom(formats, maxFormats);
  formats.set(key, made);
  return made;
}

const wallClock: Intl.DateTimeFormatOptions = {
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
};

/** The wall-clock time read as if it were UTC. Its difference to the instant is the zone's offset at that instant. */
function wallClockAt(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of timeFormat(timeZone, wallClock).formatToParts(instant))
    parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * The instant at which a clock in the zone shows this time. A time that a clock change skips becomes the time after
 * the jump.
 */
export function instantAt(date: string, time: string, timeZone: string): Date {
  const wallClockMs = Date.parse(`${date}T${time}:00Z`);
  const offsets = [wallClockMs - days(1), wallClockMs + days(1)].map(
    (nearby) => wallClockAt(nearby, timeZone) - nearby,
  );
  const candidates = offsets.map((offset) => wallClockMs - offset).sort((a, b) => a - b);
  const exact = candidates.find((candidate) => wallClockAt(candidate, timeZone) === wallClockMs);
  return new Date(exact ?? candidates.at(-1) ?? wallClockMs);
}

export const dateIn = (instant: Date, timeZone: string): string =>
  new Date(wallClockAt(Math.floor(instant.getTime() / 1000) * 1000, timeZone)).toISOString().slice(0, 10);

export const addDays = (date: string, count: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days(count)).toISOString().slice(0, 10);

const dayIndex = (date: string) => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

export const weekdayOf = (date: string): Weekday => weekdays[dayIndex(date)] as Weekday;

export const mondayOf = (date: string): string => addDays(date, -dayIndex(date));

/**
 * Null if the text is not a date of the years that the catalog's dates can have. `Date.UTC` reads a year below 100 as
 * one of the 20th century.
 */
export function parseDate(text: string): string | null {
  if (!/^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

/** The start of a week and of the next one. They are 167 or 169 hours apart when the clocks change. */
export function weekBounds(monday: string, timeZone: string): { from: Date; until: Date } {
  return {
    from: instantAt(monday, "00:00", timeZone),
    until: instantAt(addDays(monday, 7), "00:00", timeZone),
  };
}

export function listBroadcastTimes({ day, time, timeZone }: BroadcastSlot, from: Date, until: Date): Date[] {
  const airings: Date[] = [];
  const last = addDays(dateIn(until, timeZone), 1);
  const dayBefore = addDays(dateIn(from, timeZone), -1);
  const daysToFirst = (weekdays.indexOf(day) - dayIndex(dayBefore) + 7) % 7;
  for (let date = addDays(dayBefore, daysToFirst); date <= last; date = addDays(date, 7)) {
    const airing = instantAt(date, time, timeZone);
    if (airing >= from && airing < until) airings.push(airing);
  }
  return airings;
}

/** Seasons start in January, April, July and October, in Japan time. */
export const seasonAt = (instant: Date): AnimeSeason => seasonOfDay(dateIn(instant, japanTimeZone));

export function seasonOfDay(day: string): AnimeSeason {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return { year, season: seasons[Math.floor((month - 1) / 3)] as Season };
}

/** YYYY-MM-DD */
export const firstDayOf = ({ year, season }: AnimeSeason) =>
  `${String(year).padStart(4, "0")}-${String(3 * seasons.indexOf(season) + 1).padStart(2, "0")}-01`;

export const seasonLabel = ({ year, season }: AnimeSeason) => `${season} ${year}`;

/** A number that is larger for each later season. */
export const seasonRank = ({ year, season }: AnimeSeason): number => year * 4 + seasons.indexOf(season);

export function shiftSeason(season: AnimeSeason, by: number): AnimeSeason {
  const count = seasonRank(season) + by;
  return { year: Math.floor(count / 4), season: seasons[((count % 4) + 4) % 4] as Season };
}
