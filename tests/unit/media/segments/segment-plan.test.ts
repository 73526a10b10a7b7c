import { describe, expect, test } from "vitest";
import { planConvertedSound } from "#app/media/converting/converted-track.ts";
import type { KeyFrame } from "#app/media/film/inspection.ts";
import { planPicture, planSound } from "#app/media/segments/segment-plan.ts";

/** Sound in a codec in which the site writes no silence. */
const ac3 = { codec: "ac-3", channels: 6 };

const framesAt = (...times: number[]): KeyFrame[] =>
  times.map((seconds) => ({ seconds, at: 1000 * seconds }));

describe("the plan of segments", () => {
  test("a segment has as many groups of pictures as fit into six seconds, or a single longer one", () => {
    const planned = planPicture(framesAt(0.02, 2, 4, 6, 8, 30, 31), 32);
    expect(planned.map(({ start, end, from, to }) => [start, end, from, to])).toEqual([
      [0, 6, 0.02, 6],
      [6, 8, 6, 8],
      [8, 30, 8, 30],
      [30, 32, 30, null],
    ]);
  });

  test("a film whose key frames lie weeks apart has a bounded number of segments", () => {
    const times = Array.from({ length: 40_000 }, (_, index) => index * 1e6);
    const planned = planPicture(framesAt(...times), 4e10);
    expect(planned.length).toBe(30_000);
    expect(planned.at(-1)).toMatchObject({ start: 29_999e6, end: 4e10, to: null });
  });

  test("a film that was cut without encoding it again begins with the last key frame before its beginning", () => {
    const planned = planPicture(framesAt(-12, -8, -4, -0.5, 3, 5, 9), 12);
    expect(planned.map(({ start, end, from, to }) => [start, end, from, to])).toEqual([
      [0, 5, -0.5, 5],
      [5, 9, 5, 9],
      [9, 12, 9, null],
    ]);
    expect(planPicture(framesAt(-2, 0, 4), 6)[0]?.from).toBe(0);
  });

  test("sound that begins late and ends early has no segment without sound", () => {
    const planned = planSound({ ...ac3, span: { first: 13, last: 20 } }, framesAt(0, 10, 20), 60);
    expect(planned.map(({ start, from, to }) => [start, from, to])).toEqual([
      [0, 0, 18],
      [18, 18, null],
    ]);
    // The plan begins one second before the first sound, because sound can be stored after the picture of the same
    // time.
    expect(planned.map(({ at }) => at)).toEqual([10_000, 10_000]);
  });

  test("sound goes on to the end of the film where the site can write silence", () => {
    const endsOf = (sound: { codec: string; channels: number }) =>
      planSound({ ...sound, span: { first: 0, last: 8 } }, framesAt(0, 10, 20), 30).map(({ end }) => end);
    expect(endsOf(ac3)).toEqual([6, 8.02]);
    expect(endsOf({ codec: "mp4a.40.2", channels: 2 })).toEqual([6, 12, 18, 24, 30]);
    expect(endsOf({ codec: "mp4a.40.2", channels: 7 })).toEqual([6, 8.02]);
  });

  test("sound beside a film ends with the film", () => {
    const beside = { file: 0, track: 1 };
    expect(
      planSound({ ...ac3, span: { first: 0, last: 12 }, beside }, framesAt(0, 10), 12).at(-1),
    ).toMatchObject({ from: 6, to: 12.02 });
  });

  test("a film that states an endless length gets a plan of bounded length", () => {
    const endless = Number.MAX_SAFE_INTEGER;
    const span = { first: 0, last: endless };
    expect(planSound({ ...ac3, span }, framesAt(0), endless).length).toBeLessThan(40_000);
    expect(planConvertedSound(framesAt(0), endless).length).toBeLessThan(40_000);
  });

  test("the last segment of picture and sound is never too short for a player to find", () => {
    expect(planPicture(framesAt(0, 6, 12, 18.1), 18.2).map(({ start, end }) => [start, end])).toEqual([
      [0, 6],
      [6, 12],
      [12, 18.2],
    ]);
    expect(planSound({ ...ac3, span: { first: 0, last: 60 } }, framesAt(0), 60).at(-1)).toMatchObject({
      start: 54,
      to: null,
    });
    for (const seconds of [0.1, 6.1, 12.2, 60.02, 1204.3]) {
      const segments = planConvertedSound(framesAt(0), seconds);
      const last = segments.at(-1);
      expect((last?.end ?? 0) - (last?.start ?? 0)).toBeGreaterThanOrEqual(Math.min(1, seconds));
      expect(last?.end).toBeGreaterThanOrEqual(seconds - 0.03);
    }
  });
});
