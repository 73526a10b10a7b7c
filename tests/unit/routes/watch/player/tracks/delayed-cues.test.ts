import { expect, test } from "vitest";
import { delayCues } from "#app/routes/watch/player/tracks/delayed-cues.ts";

test("cues move by each delay from the times in their file, also while the browser re-sorts them", () => {
  const cues = [
    { startTime: 1, endTime: 2 },
    { startTime: 5, endTime: 7.5 },
  ];
  const track = {
    get cues() {
      return cues.sort((one, other) => one.startTime - other.startTime);
    },
  } as unknown as TextTrack;
  const times = () => cues.map(({ startTime, endTime }) => [startTime, endTime]);
  delayCues(track, 2.5);
  expect(times()).toEqual([
    [3.5, 4.5],
    [7.5, 10],
  ]);
  cues.push({ startTime: 9, endTime: 10 });
  delayCues(track, -1.5);
  expect(times()).toEqual([
    [0, 0.5],
    [3.5, 6],
    [7.5, 8.5],
  ]);
  delayCues(track, 0);
  expect(times()).toEqual([
    [1, 2],
    [5, 7.5],
    [9, 10],
  ]);
});

test("a cue that begins with the film ends earlier by the delay", () => {
  const cue = { startTime: 0, endTime: 4 };
  delayCues({ cues: [cue] } as unknown as TextTrack, -1.5);
  expect(cue).toEqual({ startTime: 0, endTime: 2.5 });
});

test("a track whose file is not loaded yet has no cues", () => {
  expect(() => delayCues({ cues: null } as TextTrack, 1)).not.toThrow();
});
