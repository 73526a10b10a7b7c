import { z } from "zod";
import { mustBeTime, mustNameDayByMonth } from "./validation-messages.ts";

/** Reads ISO 8601 instants. All external input is read here, so that every input accepts the same forms. */

const day = /(?<year>\d{4})(?:-(?<month>\d\d)-(?<day>\d\d)|(?<basicMonth>\d\d)(?<basicDay>\d\d))/;
const time = /(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,40}))?/;
// A query string turns the plus sign of an offset into a space. ISO 8601 also allows the real minus sign, U+2212.
const zone = /[Zz]|(?<sign>[+\-\u2212 ])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?/;
const instant = new RegExp(`^${day.source}(?:[Tt ]${time.source}(?:${zone.source})?)?$`);
const weekOrOrdinalDate = /^\d{4}(?:-?[Ww]\d\d(?:-?\d)?|-?\d{3})(?:[Tt ]|$)/;

const msPerHour = 3_600_000;
const msPerMinute = 60_000;
const minTime = Date.parse("0001-01-01T00:00:00Z");
const maxTime = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Null if the text is not an instant. Without a zone the time is UTC, and a date alone is midnight. A fraction may
 * belong to hours, minutes or seconds, and is cut to milliseconds.
 */
export function readInstant(text: string): Date | null {
  const parts = instant.exec(text.trim())?.groups;
  if (!parts) return null;
  const part = (name: string) => Number(parts[name] ?? 0);
  const date = `${parts.year}-${parts.month ?? parts.basicMonth}-${parts.day ?? parts.basicDay}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // `Date` turns the 30th of February into the 2nd of March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return null;
  const [hour, minute, second] = [part("hour"), part("minute"), part("second")];
  const afterMidnight = hour * msPerHour + minute * msPerMinute + second * 1000 + fractionMs(parts);
  const offset = part("zoneHour") * msPerHour + part("zoneMinute") * msPerMinute;
  const isEndOfDay = hour === 24 && afterMidnight === 24 * msPerHour;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || part("zoneHour") > 23 || part("zoneMinute") > 59)
    return null;
  const isEast = parts.sign === "+" || parts.sign === " ";
  const read = new Date(midnight + afterMidnight + (isEast ? -offset : offset));
  // An offset can move the instant outside the years that four digits can write.
  const hasYear = read.getTime() >= minTime && read.getTime() <= maxTime;
  return hasYear && (second < 60 || (second === 60 && isMidnight(read))) ? read : null;
}

function fractionMs({ minute, second, fraction = "0" }: Record<string, string | undefined>): number {
  const unitMs = second !== undefined ? 1000 : minute !== undefined ? msPerMinute : msPerHour;
  return Math.floor(Number(`0.${fraction}`) * unitMs);
}

/** A leap second is the last one of a day in UTC. `Date` has none, so it becomes the first second of the next day. */
const isMidnight = (instant: Date) => instant.toISOString().slice(11, 19) === "00:00:00";

const instantErrorText = (text: string) =>
  weekOrOrdinalDate.test(text.trim()) ? mustNameDayByMonth : mustBeTime;

export const instantInput = z
  .string()
  .meta({ description: "An ISO 8601 time; UTC if it names no zone, and midnight if it is only a date" })
  .transform((text, checks): Date => {
    const read = readInstant(text);
    if (read !== null) return read;
    checks.addIssue({ code: "custom", message: instantErrorText(text) });
    return z.NEVER;
  });
