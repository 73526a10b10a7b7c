import { describe, expect, test } from "vitest";
import {
  episodeNumberAt,
  findNextAiring,
  findNextEpisode,
  listAiringTimes,
  listBroadcasts,
} from "#app/domain/discovery/airings.ts";

const onSaturdays = {
  type: "TV",
  broadcastDay: "Saturday",
  broadcastTime: "23:30",
  broadcastTimezone: "Asia/Tokyo",
  airedFrom: new Date("2025-01-04T00:00:00Z"),
  airedTo: null,
  episodes: 12,
  status: "Currently Airing",
} as const;
const next = (title: Parameters<typeof findNextAiring>[0], now: string) =>
  findNextAiring(title, new Date(now))?.toISOString() ?? null;

describe("the next airing", () => {
  test("is the first one from now on for an airing title", () => {
    expect(next(onSaturdays, "2025-01-10T00:00:00Z")).toBe("2025-01-11T14:30:00.000Z");
    expect(next(onSaturdays, "2025-01-11T14:30:00Z")).toBe("2025-01-11T14:30:00.000Z");
    expect(next(onSaturdays, "2025-01-11T14:31:00Z")).toBe("2025-01-18T14:30:00.000Z");
  });

  test("is the premiere for an announced title, however far away", () => {
    const announced = { ...onSaturdays, status: "Not yet aired" } as const;
    expect(next(announced, "2023-06-01T00:00:00Z")).toBe("2025-01-04T14:30:00.000Z");
  });

  test("is not known for a title that is announced without a day, although its weekly slot is", () => {
    const announced = { ...onSaturdays, airedFrom: null, status: "Not yet aired" } as const;
    const now = new Date("2024-12-01T00:00:00Z");
    expect(findNextEpisode(announced, null, now)).toBeNull();
    expect(findNextAiring(announced, now)?.toISOString()).toBe("2024-12-07T14:30:00.000Z");
    const premiere = { episode: 1, at: new Date("2025-01-04T14:30:00Z"), answeredAt: now };
    expect(findNextEpisode(announced, premiere, now)).toEqual(premiere);
  });

  test("may be on the day before the first date", () => {
    const early = { ...onSaturdays, broadcastDay: "Friday" } as const;
    expect(next(early, "2024-12-01T00:00:00Z")).toBe("2025-01-03T14:30:00.000Z");
  });

  test("is null after the last one, even if the title is still marked as airing", () => {
    const ending = { ...onSaturdays, airedTo: new Date("2025-03-22T00:00:00Z") };
    expect(next(ending, "2025-03-22T14:00:00Z")).toBe("2025-03-22T14:30:00.000Z");
    expect(next(ending, "2025-03-22T15:00:00Z")).toBeNull();
  });

  test("is null after the last expected episode, also while the title still counts as on air", () => {
    expect(next(onSaturdays, "2025-03-22T14:00:00Z")).toBe("2025-03-22T14:30:00.000Z");
    expect(next(onSaturdays, "2025-03-22T15:00:00Z")).toBeNull();
    expect(next({ ...onSaturdays, episodes: null }, "2025-03-22T15:00:00Z")).toBe("2025-03-29T14:30:00.000Z");
  });

  test("is null for a finished title and for one without a broadcast slot", () => {
    expect(next({ ...onSaturdays, status: "Finished Airing" }, "2025-01-10T00:00:00Z")).toBeNull();
    expect(next({ ...onSaturdays, broadcastDay: null }, "2025-01-10T00:00:00Z")).toBeNull();
    expect(next({ ...onSaturdays, broadcastTime: null }, "2025-01-10T00:00:00Z")).toBeNull();
  });

  test("uses Japan's time zone if the title has none, or none that is known", () => {
    for (const broadcastTimezone of [null, "GMT+9"])
      expect(next({ ...onSaturdays, broadcastTimezone }, "2025-01-10T00:00:00Z")).toBe(
        "2025-01-11T14:30:00.000Z",
      );
  });
});

test("the airings of a period are those between the title's first and last date", () => {
  const times = listAiringTimes(
    { ...onSaturdays, airedTo: new Date("2025-01-18T00:00:00Z") },
    null,
    new Date("2024-12-20T00:00:00Z"),
    new Date("2025-02-20T00:00:00Z"),
  );
  expect(times.map((at) => at.toISOString().slice(0, 10))).toEqual([
    "2025-01-04",
    "2025-01-11",
    "2025-01-18",
  ]);
});

test("without a last date, the airings end after the last episode, and those of a movie with its day", () => {
  const [from, until] = [new Date("2024-12-20T00:00:00Z"), new Date("2026-01-01T00:00:00Z")];
  expect(listAiringTimes({ ...onSaturdays, episodes: 2 }, null, from, until)).toHaveLength(2);
  expect(listAiringTimes({ ...onSaturdays, type: "Movie", episodes: null }, null, from, until)).toHaveLength(
    1,
  );
  expect(listAiringTimes({ ...onSaturdays, episodes: null }, null, from, until)).toHaveLength(52);
});

describe("an announced episode", () => {
  const announced = {
    episode: 3,
    at: new Date("2025-01-25T14:00:00Z"),
    answeredAt: new Date("2025-01-12T00:00:00Z"),
  };
  const episodes = (title: Parameters<typeof listBroadcasts>[0], next = announced) =>
    listBroadcasts(title, next, new Date("2025-01-01T00:00:00Z"), new Date("2025-02-10T00:00:00Z")).map(
      ({ at, episode }) => `${at.toISOString().slice(5, 16)} ${episode}`,
    );

  test("replaces the weekly broadcasts since it was announced, also its own", () => {
    expect(episodes(onSaturdays)).toEqual([
      "01-04T14:30 1",
      "01-11T14:30 2",
      "01-25T14:00 3",
      "02-01T14:30 4",
      "02-08T14:30 5",
    ]);
    expect(episodes({ ...onSaturdays, broadcastDay: null })).toEqual(["01-25T14:00 3"]);
  });

  test("takes the numbers from earlier broadcasts that were counted too far, and counts the rest of the run", () => {
    const early = { ...onSaturdays, airedFrom: new Date("2024-12-14T00:00:00Z") };
    expect(episodes({ ...early, episodes: 4 })).toEqual([
      "01-04T14:30 null",
      "01-11T14:30 null",
      "01-25T14:00 3",
      "02-01T14:30 4",
    ]);
    expect(episodes({ ...onSaturdays, episodes: null }).at(-1)).toBe("02-08T14:30 null");
  });

  test("keeps a later last day of the run, with the weeks after the last counted episode without a number", () => {
    const withBreak = { ...onSaturdays, airedTo: new Date("2025-02-08T00:00:00Z"), episodes: 4 };
    expect(episodes(withBreak).slice(2)).toEqual(["01-25T14:00 3", "02-01T14:30 4", "02-08T14:30 null"]);
  });

  test("has no broadcast before it if it is the first", () => {
    expect(episodes(onSaturdays, { ...announced, episode: 1 })).toEqual([
      "01-25T14:00 1",
      "02-01T14:30 2",
      "02-08T14:30 3",
    ]);
  });

  test("postpones the end of a run, also after its last day", () => {
    const short = { ...onSaturdays, airedTo: new Date("2025-01-25T00:00:00Z"), episodes: 4 };
    const postponed = { ...announced, at: new Date("2025-02-01T14:30:00Z") };
    expect(episodes(short, postponed).slice(2)).toEqual(["02-01T14:30 3", "02-08T14:30 4"]);
  });

  test("leaves the other broadcasts without a number if the title has fewer episodes than the announced number", () => {
    expect(episodes(onSaturdays, { ...announced, episode: 30 })).toEqual([
      "01-04T14:30 null",
      "01-11T14:30 null",
      "01-25T14:00 30",
      "02-01T14:30 null",
      "02-08T14:30 null",
    ]);
  });

  test("takes the numbers from all earlier broadcasts if one of them was skipped", () => {
    const afterSkippedWeek = {
      episode: 4,
      at: new Date("2025-02-01T14:30:00Z"),
      answeredAt: new Date("2025-01-26T00:00:00Z"),
    };
    expect(episodes(onSaturdays, afterSkippedWeek)).toEqual([
      "01-04T14:30 null",
      "01-11T14:30 null",
      "01-18T14:30 null",
      "01-25T14:30 null",
      "02-01T14:30 4",
      "02-08T14:30 5",
    ]);
    expect(episodes(onSaturdays, { ...afterSkippedWeek, episode: 5 }).slice(0, 2)).toEqual([
      "01-04T14:30 1",
      "01-11T14:30 2",
    ]);
  });

  test("leaves no wrong number to a broadcast that was skipped before the source answered", () => {
    const stillSkipping = { ...announced, at: new Date("2025-02-01T14:30:00Z") };
    expect(episodes(onSaturdays, { ...stillSkipping, answeredAt: new Date("2025-01-20T00:00:00Z") })).toEqual(
      ["01-04T14:30 null", "01-11T14:30 null", "01-18T14:30 null", "02-01T14:30 3", "02-08T14:30 4"],
    );
  });

  test("is the next one until it has aired, also of a title that has ended by its dates", () => {
    const find = (now: string) =>
      findNextEpisode({ ...onSaturdays, status: "Finished Airing" }, announced, new Date(now));
    expect(find("2025-01-13T00:00:00Z")).toEqual(announced);
    expect(find("2025-01-26T00:00:00Z")).toBeNull();
    expect(findNextEpisode(onSaturdays, announced, new Date("2025-01-25T14:10:00Z"))).toEqual({
      at: new Date("2025-02-01T14:30:00Z"),
      episode: 4,
    });
  });
});

test("an airing has an episode number only if the first date and the number of episodes are known", () => {
  const at = new Date("2025-01-18T14:30:00Z");
  expect(episodeNumberAt(onSaturdays, at)).toBe(3);
  expect(episodeNumberAt({ ...onSaturdays, episodes: null }, at)).toBeNull();
  expect(episodeNumberAt({ ...onSaturdays, episodes: 2 }, at)).toBeNull();
  expect(episodeNumberAt({ ...onSaturdays, airedFrom: null }, at)).toBeNull();
});
