import { airingsOf, type Slot } from "#app/domain/calendar/calendar.ts";
import type { Anime } from "#app/domain/catalog/catalog.ts";
import { japan } from "#app/domain/visitor/visitor.ts";

/**
 * Times in words. Loaders call this and send the words: the server's and the browser's calendars differ in small
 * things, and a page must read the same before and after its script arrives.
 */

const dayMs = 24 * 60 * 60 * 1000;

const format = (timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone, ...options });

export const clockTime = (instant: Date, timeZone: string) =>
  format(timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(instant);

export const weekdayTime = (instant: Date, timeZone: string) =>
  `${format(timeZone, { weekday: "long" }).format(instant)} ${clockTime(instant, timeZone)}`;

/** Dates of the catalog are calendar dates, not moments: they read alike everywhere. */
export const dateWords = (iso: string) =>
  format("UTC", { day: "numeric", month: "long", year: "numeric" }).format(new Date(iso));

/** "Berlin time"; the viewer's city says more than an offset. */
export function zoneName(timeZone: string): string {
  if (timeZone === japan) return "Japan time";
  if (timeZone === "UTC") return "UTC";
  return `${timeZone.split("/").at(-1)?.replaceAll("_", " ") ?? timeZone} time`;
}

function slotOf(anime: Pick<Anime, "broadcast_day" | "broadcast_time" | "broadcast_timezone">): Slot | null {
  if (anime.broadcast_day === null || anime.broadcast_time === null) return null;
  return {
    day: anime.broadcast_day,
    time: anime.broadcast_time,
    timeZone: anime.broadcast_timezone ?? japan,
  };
}

export type MomentWords = { iso: string; words: string; inJapan: string | null };

/** The next time a title is on: in the viewer's zone, and in Japan's where that is another. */
export function nextAiring(anime: Anime, now: Date, timeZone: string): MomentWords | null {
  const slot = slotOf(anime);
  if (slot === null || anime.status === "Finished Airing") return null;
  const first = anime.aired_from === null ? now : new Date(Date.parse(anime.aired_from) - dayMs);
  const from = first > now ? first : now;
  const [next] = airingsOf(slot, from, new Date(from.getTime() + 8 * dayMs));
  if (next === undefined) return null;
  return {
    iso: next.toISOString(),
    words: weekdayTime(next, timeZone),
    inJapan: timeZone === japan ? null : weekdayTime(next, japan),
  };
}

/** "in 51 days", "tomorrow"; null once it is past. */
export function untilWords(iso: string, now: Date): string | null {
  const days = Math.ceil((Date.parse(iso) - now.getTime()) / dayMs);
  if (days < 0) return null;
  if (days === 0) return "today";
  return days === 1 ? "tomorrow" : `in ${days} days`;
}

const agoSteps: [milliseconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [dayMs, "day"],
  [dayMs / 24, "hour"],
  [dayMs / 24 / 60, "minute"],
];

/** "3 hours ago"; "just now" within the minute. */
export function agoWords(instant: Date, now: Date): string {
  const elapsed = now.getTime() - instant.getTime();
  const step = agoSteps.find(([length]) => elapsed >= length);
  if (step === undefined) return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(
    -Math.floor(elapsed / step[0]),
    step[1],
  );
}
