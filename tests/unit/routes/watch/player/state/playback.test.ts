import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failureOf } from "#app/routes/watch/player/state/play-failure.ts";
import {
  chapterAt,
  chapterName,
  chapterStart,
  endingAt,
  enteredSegment,
  formatClock,
  nextSpeed,
  type PlayerSource,
  resumeSeconds,
  segmentAt,
  sortByAbility,
  sourceLabel,
  speeds,
  spokenTimeText,
  startWithin,
} from "#app/routes/watch/player/state/playback.ts";
import { commandOf, doneText, keyLines } from "#app/routes/watch/player/state/player-keys.ts";

describe("resumeSeconds", () => {
  test.each([
    [null, 100, null],
    [29.9, 100, null],
    [30, 100, 30],
    [90, 100, 90],
    [90.1, 100, null],
    [3600, Number.NaN, 3600],
  ])("a resume point at %s of %s seconds starts the film at %s", (resumePoint, duration, start) => {
    expect(resumeSeconds(resumePoint, duration)).toBe(start);
  });
});

test("times are formatted for display and for screen readers", () => {
  expect([0, 59.9, 60, 3599, 3600, 36_061, Number.NaN].map(formatClock)).toEqual([
    "0:00",
    "0:59",
    "1:00",
    "59:59",
    "1:00:00",
    "10:01:01",
    "--:--",
  ]);
  expect([0, 1, 61, 3602].map(spokenTimeText)).toEqual([
    "0 seconds",
    "1 second",
    "1 minute 1 second",
    "1 hour 2 seconds",
  ]);
});

describe("chapters", () => {
  const chapters = [
    { title: "Avant", start: 0, end: 90 },
    { title: "Opening", start: 90, end: 180 },
    { title: null, start: 180, end: 600 },
  ];

  test.each([
    [0, 1, "Opening"],
    [90, 1, "Chapter at 3:00"],
    [200, 1, null],
    [200, -1, "Chapter at 3:00"],
    [182, -1, "Opening"],
    [91, -1, "Avant"],
    [1, -1, "Avant"],
  ] as const)("from %i seconds, a step of %i leads to %s", (time, direction, name) => {
    const found = chapterStart(chapters, time, direction);
    expect(found && chapterName(found)).toBe(name);
  });

  test("the chapter of a moment is the last one that has begun", () => {
    expect([0, 89.9, 90, 599].map((time) => chapterAt(chapters, time)?.start)).toEqual([0, 0, 90, 180]);
    expect(chapterAt([], 5)).toBeUndefined();
    expect(chapterStart([], 5, -1)).toBeNull();
  });
});

test("the speed changes by one step and stops at the ends", () => {
  expect([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(3, 1), nextSpeed(0.25, -1)]).toEqual([
    1.25, 0.75, 3, 0.25,
  ]);
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 4, noNaN: true }), fc.constantFrom(1, -1), (speed, direction) => {
      const next = nextSpeed(speed, direction as 1 | -1);
      expect(next === speed || (speeds as readonly number[]).includes(next)).toBe(true);
      expect((next - speed) * direction).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("a segment is skipped from its start to just before its end", () => {
  const intro = { kind: "intro" as const, start: 0, end: 10 };
  expect([0, 5, 9.4, 9.6, 10, 50].map((time) => segmentAt([intro], time) === intro)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("the two ways in which a film plays have different labels, and a source without a label says what it is", () => {
  const source: PlayerSource = { type: "hls", url: "a", label: "1080p", language: "en" };
  const holds = {
    picture: { codec: null, codecLabel: "HEVC", isConvertible: false },
    sounds: [],
  };
  expect(sourceLabel({ ...source, holds }, 0)).toBe("1080p · en (HEVC, as a stream)");
  expect(sourceLabel({ ...source, type: "file", holds }, 1)).toBe("1080p · en (HEVC, the file itself)");
  expect(sourceLabel(source, 2)).toBe("1080p · en");
  expect(sourceLabel({ ...source, type: "mp4", label: null, language: null }, 3)).toBe(
    "Source 4 (an MP4 file)",
  );
});

test("sources that can play come first, in the operator's order", () => {
  const source = (type: PlayerSource["type"], url: string): PlayerSource => ({
    type,
    url,
    label: null,
    language: null,
  });
  const sources = [source("hls", "a"), source("webm", "b"), source("mp4", "c")];
  const ability = {
    feedsHls: false,
    playsHls: false,
    canPlayFile: (type: string) => type === "video/webm",
    decodes: () => true,
  };
  expect(sortByAbility(sources, ability).map(({ url }) => url)).toEqual(["b", "a", "c"]);
  expect(sortByAbility(sources, { ...ability, feedsHls: true }).map(({ url }) => url)).toEqual([
    "a",
    "b",
    "c",
  ]);
});

describe("keys", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  test("each listed key gives its command, in upper and lower case", () => {
    for (const { keys, command } of keyLines)
      for (const key of keys) {
        expect(commandOf({ ...plain, key }, "film")).toBe(command);
        expect(commandOf({ ...plain, key: key.length === 1 ? key.toUpperCase() : key }, "film")).toBe(
          command,
        );
      }
    expect(commandOf({ ...plain, key: "7" }, "film")).toBe("jump-7");
  });
  test("a key that the focused element needs gives no command", () => {
    expect(commandOf({ ...plain, key: " " }, "button")).toBeNull();
    expect(commandOf({ ...plain, key: "k" }, "button")).toBe("toggle-play");
    expect(commandOf({ ...plain, key: "ArrowLeft" }, "slider")).toBeNull();
    expect(commandOf({ ...plain, key: "m" }, "text")).toBeNull();
    expect(commandOf({ ...plain, key: "f", ctrlKey: true }, "film")).toBeNull();
    expect(commandOf({ ...plain, key: "Tab" }, "film")).toBeNull();
  });
  test("a key pressed outside the player gives no command, and with the focus on nothing the page still scrolls", () => {
    for (const key of ["n", "k", " ", "7", "?", "ArrowLeft", "ArrowDown"])
      expect(commandOf({ ...plain, key }, "elsewhere")).toBeNull();
    expect(commandOf({ ...plain, key: "n" }, "nothing")).toBe("next");
    expect(commandOf({ ...plain, key: "ArrowLeft" }, "nothing")).toBe("back-5");
    expect(commandOf({ ...plain, key: "ArrowDown" }, "nothing")).toBeNull();
  });
});

test.each([
  [500, "The upstream answered 403", "expired"],
  [500, "The upstream answered 410", "expired"],
  [404, "", "missing"],
  [500, "timed out after 15 s", "slow"],
  [429, "Too many requests", "limited"],
  [400, "refused address", "refused"],
  [500, "connection refused", "offline"],
  [503, "", "offline"],
  [503, "This part of the film is being converted. Try again shortly.", "converting"],
])("status %i with %s is reported as %s", (status, said, reason) => {
  expect(failureOf(status, said).reason).toBe(reason);
});

describe("a film that skips by itself", () => {
  const intro = { kind: "intro", start: 0, end: 80 } as const;
  const recap = { kind: "recap", start: 100, end: 130 } as const;
  const outro = { kind: "outro", start: 1300, end: 1390 } as const;
  const segments = [intro, recap, outro];
  test.each([
    ["begins at an opening that is the beginning", -1, 0.2, intro],
    ["plays into the ending", 1299.9, 1300.1, outro],
    ["plays into the ending on a machine that stands still for seconds", 1298, 1306, outro],
    ["plays within an opening", 10, 10.2, undefined],
    ["plays into a recap, which may be all that somebody knows of a story", 99.9, 100.1, undefined],
    ["has left the ending", 1389.9, 1390.1, undefined],
  ])("%s", (_, before, now, expected) => {
    expect(enteredSegment(segments, before, now)).toBe(expected);
  });
  test("offers the next episode only during the ending", () => {
    expect([10, 110, 1299, 1300, 1389, 1390].map((time) => endingAt(segments, time))).toEqual([
      ...[undefined, undefined, undefined],
      ...[outro, outro, undefined],
    ]);
  });
});

test("the effect of a key is named in a few words over the film", () => {
  const film = { paused: false, volume: 0.35 };
  expect(doneText("toggle-play", film)).toBe("Play");
  expect(doneText("toggle-play", { ...film, paused: true })).toBe("Pause");
  expect(
    (["back-5", "forward-10", "volume-up", "jump-0", "jump-7"] as const).map((one) => doneText(one, film)),
  ).toEqual(["−5 s", "+10 s", "Volume 35 %", "0 %", "70 %"]);
  // These commands announce themselves, or the page shows their effect.
  for (const command of [
    "mute",
    "captions",
    "next",
    "previous-chapter",
    "fullscreen",
    "picture-in-picture",
    "skip",
  ] as const)
    expect(doneText(command, film)).toBe(null);
});

test.each([
  ["in the middle stays", 700, 1400, 700],
  ["in the last seconds begins anew", 1397, 1400, 0],
  ["after the end of a shorter film begins anew", 2000, 1400, 0],
  ["of a film of unknown length stays", 2000, Number.NaN, 2000],
  ["of a film without an end stays", 2000, Number.POSITIVE_INFINITY, 2000],
])("a start %s", (_, time, duration, start) => {
  expect(startWithin(time, duration)).toBe(start);
});
