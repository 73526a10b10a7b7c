import { describe, expect, test } from "vitest";
import { writeBitmapFile } from "#app/media/subtitles/bitmaps.ts";
import { isSupFile } from "#app/media/subtitles/sup-file.ts";
import { compositionTimes, discSubtitles } from "#tests/support/data/bitmap-subtitles.ts";

describe("a .sup file", () => {
  const sup = discSubtitles();
  const written = (bytes: Uint8Array, most = 1024 * 1024) =>
    writeBitmapFile({ bytes, index: null, maxBytes: most });

  test("is written with its pictures at their times", () => {
    expect(compositionTimes(written(sup))).toEqual([0, 2000, 4000, 6000, 8000]);
  });

  test("is read up to where it is damaged or cut off", () => {
    const second = sup.indexOf("PG", 13 + 19);
    expect(compositionTimes(written(sup.subarray(0, sup.length - 30)))).toEqual([
      0, 2000, 4000, 6000, 11_000,
    ]);
    expect(
      compositionTimes(written(Buffer.concat([sup.subarray(0, second), Buffer.from("XX"), sup]))),
    ).toEqual([0]);
    expect(compositionTimes(written(Buffer.from("no pictures")))).toEqual([0]);
  });

  test("that needs too many bytes is refused", () => {
    expect(written(sup, 1000)).toHaveLength(0);
    const empty = Buffer.concat(Array.from({ length: 20_001 }, () => sup.subarray(sup.length - 37)));
    expect(written(empty, 1e9)).toHaveLength(0);
  });

  test("is known by its first bytes", () => {
    expect([isSupFile(sup), isSupFile(Buffer.from("SP")), isSupFile(Buffer.from("P"))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
