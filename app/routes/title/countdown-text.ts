import { countText } from "#app/platform/count-text.ts";

const minuteMs = 60_000;
const minutesPerHour = 60;
const minutesPerDay = 24 * minutesPerHour;

const maxDaysWithHours = 6;

/** Beyond six days a weekday is ambiguous, and the hours do not matter. */
export const isFarAhead = (leftMs: number): boolean => leftMs > maxDaysWithHours * minutesPerDay * minuteMs;

/** "in 39 days", "in 3 days 4 hours", "in 2 hours 5 minutes"; "now" from the last minute on. */
export function countdownText(leftMs: number): string {
  const left = Math.floor(leftMs / minuteMs);
  if (left < 1) return "now";
  const days = Math.floor(left / minutesPerDay);
  const hours = Math.floor((left % minutesPerDay) / minutesPerHour);
  const minutes = left % minutesPerHour;
  const parts = [
    { count: days, unit: "day" },
    { count: isFarAhead(leftMs) ? 0 : hours, unit: "hour" },
    // Days make the minutes unimportant.
    { count: days > 0 ? 0 : minutes, unit: "minute" },
  ].filter(({ count }) => count > 0);
  return `in ${parts.map(({ count, unit }) => countText(count, unit)).join(" ")}`;
}
