import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DamagedFilm } from "#app/media/film/film-bytes.ts";
import { readMp4Lines } from "#app/media/mp4/mp4-lines.ts";
import { packLines } from "#app/media/subtitles/block-lines.ts";
import { writeSubtitles } from "#app/media/subtitles/subtitle-text.ts";
import { reader } from "#tests/support/data/matroska-bytes.ts";

const film = reader(readFileSync("tests/fixtures/films/text.mp4"));
const linesOf = (
  track: number,
  isOver = () => false,
  from: Parameters<typeof readMp4Lines>[1]["from"] = null,
) => readMp4Lines(film, { track, from }, isOver);

test("lines have their times, their text and what of it is italic", () => {
  const { lines, format, head, next } = linesOf(3);
  expect(next).toBeNull();
  const written = writeSubtitles({
    kind: "subtitles",
    bytes: packLines(lines),
    format,
    form: "vtt",
    head,
  });
  expect(written).toBe(
    [
      "WEBVTT\n",
      "00:00:01.000 --> 00:00:02.500\nHello <i>there</i>\nsecond line\n",
      "00:00:04.000 --> 00:00:05.000\nSpäter — 雨\n",
      "00:00:06.000 --> 00:00:07.000\nNo\n",
    ].join("\n"),
  );
});

test("a part that takes too long ends early, and the next part continues after it", () => {
  const texts: string[] = [];
  let parts = 0;
  for (let from: Parameters<typeof linesOf>[2] = null; parts < 20; ) {
    const { lines, next } = linesOf(3, () => true, from);
    texts.push(...lines.map(({ text }) => Buffer.from(text).toString().slice(0, 5)));
    parts++;
    if (next === null) break;
    from = next;
  }
  expect(parts).toBeGreaterThan(2);
  expect(texts).toEqual(["Hello", "Späte", "No"]);
});

test.each([1, 2, 5, 99])("track %i is not read as subtitles", (track) =>
  expect(() => linesOf(track)).toThrow(DamagedFilm),
);
