import { expect, test } from "vitest";
import { daysUntilText } from "#app/routes/views/date-format.server.ts";

const premiere = new Date("2026-12-01T00:00:00Z");

test.each([
  ["Asia/Tokyo", "2026-11-29T15:00:00Z", "tomorrow"],
  ["Asia/Tokyo", "2026-11-30T15:00:00Z", "today"],
  ["Asia/Tokyo", "2026-12-01T14:59:00Z", "today"],
  ["Asia/Tokyo", "2026-12-01T15:00:00Z", null],
  ["America/New_York", "2026-12-01T04:59:00Z", "tomorrow"],
  ["America/New_York", "2026-12-02T04:59:00Z", "today"],
  ["UTC", "2026-11-28T23:59:00Z", "in 3 days"],
])("days are counted by the calendar in %s at %s", (timeZone, now, text) =>
  expect(daysUntilText(premiere, new Date(now), timeZone)).toBe(text),
);
