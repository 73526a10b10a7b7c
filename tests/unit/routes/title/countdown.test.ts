import { expect, test } from "vitest";
import { toCountdown } from "#app/routes/title/title-page.server.ts";

const now = new Date("2026-11-27T03:00:00Z");
const until = (at: string, episode: number | null = 1) => {
  const { label, text } = toCountdown({ episode, at: new Date(at) }, "UTC", now);
  return `${label}, ${text}`;
};

test.each([
  ["2026-11-27T03:05:00Z", "Episode 1 Friday 03:05 UTC, in 5 minutes"],
  ["2026-12-03T02:55:00Z", "Episode 1 Thursday 02:55 UTC, in 5 days 23 hours"],
  ["2026-12-03T05:00:00Z", "Episode 1 on 3 December, 05:00 UTC, in 6 days"],
  ["2027-01-06T02:55:00Z", "Episode 1 on 6 January, 02:55 UTC, in 39 days"],
])("an episode at %s", (at, text) => expect(until(at)).toBe(text));

test("an episode without a number is the next one", () =>
  expect(until("2026-12-20T12:00:00Z", null)).toBe("Next episode on 20 December, 12:00 UTC, in 23 days"));
