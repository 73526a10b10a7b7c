import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  dateIn,
  instantAt,
  listBroadcastTimes,
  mondayOf,
  parseDate,
  seasonAt,
  shiftSeason,
  weekBounds,
  weekdayOf,
} from "#app/domain/calendar/calendar.ts";

const hour = 60 * 60 * 1000;
const zones = [
  "Asia/Tokyo",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "UTC",
];
const sundayNight = { day: "Sunday", time: "23:30", timeZone: "Asia/Tokyo" } as const;

describe("instants and local times", () => {
  test("an instant follows the zone's summer time", () => {
    expect(instantAt("2026-07-01", "23:30", "Asia/Tokyo").toISOString()).toBe("2026-07-01T14:30:00.000Z");
    expect(instantAt("2026-07-01", "12:00", "Europe/Berlin").toISOString()).toBe("2026-07-01T10:00:00.000Z");
    expect(instantAt("2026-12-01", "12:00", "Europe/Berlin").toISOString()).toBe("2026-12-01T11:00:00.000Z");
  });

  test("a skipped local time is moved past the clock change, and a repeated one is its first occurrence", () => {
    expect(instantAt("2026-03-29", "02:30", "Europe/Berlin").toISOString()).toBe("2026-03-29T01:30:00.000Z");
    expect(instantAt("2026-10-25", "02:30", "Europe/Berlin").toISOString()).toBe("2026-10-25T00:30:00.000Z");
  });

  test("noon of any date in any zone is on the same date", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 365 }), fc.constantFrom(...zones), (days, zone) => {
        const date = addDays("2026-01-01", days);
        const noon = instantAt(date, "12:00", zone);
        expect(dateIn(noon, zone)).toBe(date);
      }),
    );
  });

  test("texts that are not valid dates give null", () => {
    for (const text of [
      "2026-02-29",
      "2026-13-01",
      "2026-1-1",
      "today",
      "",
      "2026-11-16T00:00",
      "0000-01-01",
      "0050-01-03",
      "1899-12-31",
      "2200-01-01",
    ])
      expect(parseDate(text)).toBeNull();
    expect(parseDate("2028-02-29")).toBe("2028-02-29");
  });
});

describe("weeks", () => {
  test("begin on Monday for any day of the week", () => {
    expect(mondayOf("2026-11-20")).toBe("2026-11-16");
    expect(mondayOf("2026-11-16")).toBe("2026-11-16");
    expect(weekdayOf("2026-11-22")).toBe("Sunday");
  });

  test("are an hour longer or shorter when the clocks change", () => {
    const length = (monday: string, zone: string) => {
      const { from, until } = weekBounds(monday, zone);
      return (until.getTime() - from.getTime()) / hour;
    };
    expect(length("2026-10-19", "Europe/Berlin")).toBe(169);
    expect(length("2026-03-23", "Europe/Berlin")).toBe(167);
    expect(length("2026-03-23", "Asia/Tokyo")).toBe(168);
  });

  test("a broadcast slot has one airing in every week, in every zone", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 52 }), fc.constantFrom(...zones), (weeks, zone) => {
        const { from, until } = weekBounds(addDays("2026-01-05", weeks * 7), zone);
        expect(listBroadcastTimes(sundayNight, from, until)).toHaveLength(1);
      }),
    );
  });

  test("an airing on Sunday night in Japan is on Sunday in Berlin, before and after the clock change", () => {
    const at = (monday: string) => {
      const { from, until } = weekBounds(monday, "Europe/Berlin");
      return listBroadcastTimes(sundayNight, from, until).map((moment) => moment.toISOString());
    };
    expect(at("2026-10-12")).toEqual(["2026-10-18T14:30:00.000Z"]);
    expect(at("2026-10-19")).toEqual(["2026-10-25T14:30:00.000Z"]);
    expect(dateIn(new Date("2026-10-25T14:30:00Z"), "Pacific/Auckland")).toBe("2026-10-26");
  });
});

describe("seasons", () => {
  test("change at midnight in Japan", () => {
    expect(seasonAt(new Date("2026-03-31T14:59:59Z"))).toEqual({ year: 2026, season: "Winter" });
    expect(seasonAt(new Date("2026-03-31T15:00:00Z"))).toEqual({ year: 2026, season: "Spring" });
    expect(seasonAt(new Date("2026-12-31T16:00:00Z"))).toEqual({ year: 2027, season: "Winter" });
  });

  test("continue into the next and the previous year", () => {
    expect(shiftSeason({ year: 2026, season: "Fall" }, 1)).toEqual({ year: 2027, season: "Winter" });
    expect(shiftSeason({ year: 2026, season: "Winter" }, -1)).toEqual({ year: 2025, season: "Fall" });
  });
});
