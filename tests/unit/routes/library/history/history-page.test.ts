import { expect, test } from "vitest";
import { dayBounds, distinctSearches, historyDays } from "#app/routes/library/history/history-page.server.ts";

const watched = (at: string, ep: number) => ({
  malId: 1,
  title: "T",
  ep,
  episodeTitle: null,
  watchedAt: new Date(at),
});

test("entries are grouped by day in the viewer's time zone, in the given order", () => {
  const all = [
    watched("2026-03-29T22:30:00Z", 3),
    watched("2026-03-29T21:30:00Z", 2),
    watched("2026-03-28T10:00:00Z", 1),
  ];
  const days = historyDays(all, "Europe/Berlin");
  expect(days.map(({ date, items }) => [date, items.map(({ ep, time }) => `${ep} ${time}`)])).toEqual([
    ["2026-03-30", ["3 00:30"]],
    ["2026-03-29", ["2 23:30"]],
    ["2026-03-28", ["1 11:00"]],
  ]);
  expect(days[0]?.label).toBe("Monday, 30 March 2026");
});

test("the day of the clock change has 23 hours", () => {
  const { from, until } = dayBounds("2026-03-29", "Europe/Berlin");
  expect((until.getTime() - from.getTime()) / 3_600_000).toBe(23);
});

test("a repeated search is listed once, at its last time, with the ids of all its entries", () => {
  const searches = [
    { id: "3", query: "Frieren " },
    { id: "2", query: "monster" },
    { id: "1", query: "frieren" },
  ];
  expect(distinctSearches(searches)).toEqual([
    { query: "Frieren", ids: ["3", "1"] },
    { query: "monster", ids: ["2"] },
  ]);
});
