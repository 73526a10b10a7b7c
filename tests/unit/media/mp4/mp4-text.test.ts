import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DamagedFilm } from "#app/media/film/film-bytes.ts";
import { inspectMp4 } from "#app/media/mp4/inspect-mp4.ts";
import { readMp4Text } from "#app/media/mp4/mp4-text.ts";
import { reader } from "#tests/support/data/matroska-bytes.ts";

const file = readFileSync("tests/fixtures/films/text.mp4");

/** The film with some bytes replaced by others of the same length. */
function changed(from: string, to: string): Buffer {
  const copy = Buffer.from(file);
  const at = copy.lastIndexOf(from, undefined, "latin1");
  expect(at).toBeGreaterThan(0);
  copy.write(to, at, "latin1");
  return copy;
}

describe("an MP4 with text", () => {
  test("names its subtitles with their languages, titles, flags and numbers of lines", () =>
    expect(readMp4Text(reader(file)).subtitles).toEqual([
      expect.objectContaining({ number: 3, language: "en", title: null, isForced: false, lines: 3 }),
      expect.objectContaining({ number: 4, language: "de", title: "Schilder", isForced: true, lines: 1 }),
    ]));

  test("has chapters, and the track with their names is not listed as subtitles", async () => {
    const { inspection } = await inspectMp4(reader(file));
    expect(inspection.chapters).toEqual([
      { title: "Avant", start: 0, end: 3 },
      { title: "Opening", start: 3, end: 6 },
      { title: "Part A — 雨", start: 6, end: 10 },
    ]);
    expect(inspection.subtitles.map(({ number }) => number)).toEqual([3, 4]);
  });

  test("without a track of chapters has the chapters of its list", async () => {
    let copy = file;
    while (copy.includes("chap")) {
      copy = Buffer.from(copy);
      copy.write("free", copy.indexOf("chap"));
    }
    const { inspection } = await inspectMp4(reader(copy));
    expect(inspection.chapters.map(({ title, start, end }) => `${title} ${start} ${end}`)).toEqual([
      "Avant 0 3",
      "Opening 3 6",
      `Part A — 雨 6 ${inspection.durationSeconds}`,
    ]);
  });

  test("in a format that cannot be shown is listed by its name", () =>
    expect(readMp4Text(reader(changed("tx3g", "stpp"))).subtitles.at(-1)).toMatchObject({
      codecLabel: "TTML",
      script: null,
      bitmaps: null,
    }));

  test("plays without its text if the text is damaged", async () => {
    const { inspection } = await inspectMp4(reader(changed("stsz", "free")));
    expect(inspection.subtitles).toEqual([]);
    expect(inspection.video).toHaveLength(1);
  });
});

test("is read in bounded time or refused, whatever its boxes state", () => {
  const index = file.lastIndexOf("moov") - 4;
  fc.assert(
    fc.property(
      fc.nat(file.length - index - 5),
      fc.uint8Array({ minLength: 1, maxLength: 5 }),
      (at, bytes) => {
        const lying = Buffer.from(file);
        lying.set(bytes, index + at);
        try {
          expect(readMp4Text(reader(lying)).subtitles.length).toBeLessThanOrEqual(5);
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedFilm);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("with an index that asks for more than a film needs is refused before it is read", () => {
  const table = file.lastIndexOf("stsz");
  const at = table - 4;
  const huge = Buffer.concat([file.subarray(0, file.length), Buffer.alloc(16)]);
  huge.writeUInt32BE(0x7fffffff, at);
  const read: number[] = [];
  const film = {
    size: 2 ** 40,
    read: (from: number, length: number) => {
      read.push(length);
      return huge.subarray(from, from + length);
    },
  };
  expect(() => readMp4Text(film)).toThrow(DamagedFilm);
  expect(Math.max(...read)).toBeLessThan(3 * 1024 * 1024);
});
