import { describe, expect, test } from "vitest";
import { writeBitmapFile, writeBitmaps } from "#app/media/subtitles/bitmaps.ts";
import { packLines } from "#app/media/subtitles/block-lines.ts";
import { listVobSubStreams } from "#app/media/subtitles/vobsub-files.ts";
import {
  compositionTimes,
  vobSubHead,
  vobSubPackets,
  vobSubRun,
  vobSubUnit,
} from "#tests/support/data/bitmap-subtitles.ts";

const maxBytes = 1024 * 1024;

describe("an .idx file with its .sub file", () => {
  const wide = { area: [0, 5, 0, 2] as [number, number, number, number], lines: [vobSubRun(1, 0)] };
  const small = vobSubUnit({ ...wide, lines: [vobSubRun(1, 0), vobSubRun(2, 0), vobSubRun(3, 0)] });
  // More than one pack.
  const large = vobSubUnit({
    area: [0, 599, 0, 199],
    lines: Array.from({ length: 200 }, () => Array.from({ length: 30 }, () => vobSubRun(1, 20)).flat()),
  });
  const { bytes, at } = vobSubPackets([
    { stream: 0, unit: small },
    { stream: 0, unit: large },
    { stream: 3, unit: small },
  ]);
  const time = (text: string, place: number) =>
    `timestamp: ${text}, filepos: ${place.toString(16).padStart(9, "0")}`;
  const index = [
    vobSubHead,
    "id: en, index: 0",
    time("00:00:01:500", at[0] ?? 0),
    time("00:00:05:000", at[1] ?? 0),
    "id: ja, index: 3",
    "delay: 00:00:01:000",
    time("01:00:00:000", at[2] ?? 0),
    "id: fr, index: 4",
    "id: --, index: 5",
    time("00:00:01:000", 999_999),
  ].join("\r\n");

  test("lists the streams that have pictures, with their languages and where they lie", () => {
    expect(listVobSubStreams(index).map(({ number, language, start }) => [number, language, start])).toEqual([
      [0, "en", 0],
      [3, "ja", at[2]],
      [5, null, 999_999],
    ]);
  });

  const written = (text: string, stream: number, sub: Uint8Array = bytes, offset = 0) =>
    writeBitmapFile({ bytes: sub, index: { text, stream, offset }, maxBytes });

  test("is written as the same pictures inside a film", () => {
    const inFilm = writeBitmaps({
      kind: "bitmaps",
      bytes: packLines([
        { startMs: 1500, durationMs: null, text: small },
        { startMs: 5000, durationMs: null, text: large },
      ]),
      format: "vobsub",
      head: vobSubHead,
      pieces: null,
      maxBytes,
    });
    expect(Buffer.from(written(index, 0)).equals(inFilm)).toBe(true);
  });

  test("is read by stream, and from the place at which it begins", () => {
    const place = at[2] ?? 0;
    const times = compositionTimes(written(index, 3, bytes.subarray(place), place));
    expect(times).toEqual([0, 3_601_000, expect.any(Number)]);
    expect(written(index, 3).length).toBe(written(index, 3, bytes.subarray(place), place).length);
  });

  test.each<[string, Uint8Array, string]>([
    ["that is cut off", bytes.subarray(0, 30), index],
    ["of zeros", Buffer.alloc(9000), index],
    ["without a pack at the place", bytes, index.replaceAll("filepos: 0", "filepos: f")],
    ["whose pictures belong to another stream", bytes, index.replace("index: 0", "index: 1")],
  ])("%s shows nothing", (_, sub, text) => {
    const stream = text.includes("index: 1") ? 1 : 0;
    expect(compositionTimes(written(text, stream, sub))).toEqual([0]);
  });

  test("that names one picture again and again shows no more bytes than it has", () => {
    const often = `${vobSubHead}\nid: en, index: 0\n${Array.from({ length: 10_000 }, (_, ms) => time(`00:00:${String(Math.floor(ms / 1000)).padStart(2, "0")}:${String(ms % 1000).padStart(3, "0")}`, at[1] ?? 0)).join("\n")}`;
    expect(compositionTimes(written(often, 0)).length).toBeLessThan(12);
  });
});
