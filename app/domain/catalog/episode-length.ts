/** Reads the catalog's episode lengths, which are text: "24 min per ep", "1 hr 55 min", "45 sec per ep", "Unknown". */

/** Regular expressions with the same meaning in JavaScript and PostgreSQL. */
export const lengthPatterns = {
  known: "[0-9] *(hr|min|sec)",
  hours: "([0-9]{1,4}) *hr",
  minutes: "([0-9]{1,4}) *min",
} as const;

const known = new RegExp(lengthPatterns.known);
const hoursPart = new RegExp(lengthPatterns.hours);
const minutesPart = new RegExp(lengthPatterns.minutes);

/** Null if there is no length; 0 for less than a minute. */
export function minutesIn(length: string | null): number | null {
  if (length === null || !known.test(length)) return null;
  const [, hours] = hoursPart.exec(length) ?? [];
  const [, minutes] = minutesPart.exec(length) ?? [];
  return 60 * Number(hours ?? 0) + Number(minutes ?? 0);
}
