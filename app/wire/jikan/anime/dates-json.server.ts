import { z } from "zod";
import type { Title } from "#app/domain/catalog/catalog.ts";

/** Dates and broadcast times as Jikan writes them. */

const text = z.string().nullable();
const day = z.object({
  day: z.number().int().nullable(),
  month: z.number().int().nullable(),
  year: z.number().int().nullable(),
});

export const airedObject = z
  .object({ from: text, to: text, prop: z.object({ from: day, to: day }), string: text })
  .meta({ id: "Aired" });
export const broadcastObject = z
  .object({ day: text, time: text, timezone: text, string: text })
  .meta({ id: "Broadcast" });

/** Jikan writes the offset as `+00:00` and no fractions of a second. */
export const timeOnWire = (date: Date) => date.toISOString().replace(/\.\d{3}Z$/, "+00:00");

const dayText = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

const dayOnWire = (date: Date | null): z.output<typeof day> =>
  date
    ? { day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() }
    : { day: null, month: null, year: null };

type Dates = Pick<Title, "airedFrom" | "airedTo" | "status">;

export const airedOnWire = (dates: Dates): z.output<typeof airedObject> => ({
  from: dates.airedFrom && timeOnWire(dates.airedFrom),
  to: dates.airedTo && timeOnWire(dates.airedTo),
  prop: { from: dayOnWire(dates.airedFrom), to: dayOnWire(dates.airedTo) },
  string: airedText(dates),
});

function airedText({ airedFrom, airedTo, status }: Dates): string | null {
  if (airedFrom === null) return null;
  const first = dayText.format(airedFrom);
  const last = airedTo && dayText.format(airedTo);
  if (last === first) return first;
  if (last !== null) return `${first} to ${last}`;
  return status === "Currently Airing" ? `${first} to ?` : first;
}

type Slot = Pick<Title, "broadcastDay" | "broadcastTime" | "broadcastTimezone">;

export function broadcastOnWire({
  broadcastDay,
  broadcastTime: time,
  broadcastTimezone: timezone,
}: Slot): z.output<typeof broadcastObject> {
  const weekday = broadcastDay && `${broadcastDay}s`;
  const zone = timezone === "Asia/Tokyo" ? "JST" : (timezone ?? "JST");
  return {
    day: weekday,
    time,
    timezone,
    string: weekday && (time === null ? weekday : `${weekday} at ${time} (${zone})`),
  };
}
