import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import type { SubtitleScript } from "../film/inspection.ts";
import { collectPart, type LinesCursor, type LinesPart } from "../matroska/subtitle-lines.ts";
import type { BlockLine } from "../subtitles/block-lines.ts";
import { getBox, trackNumber } from "./film-boxes.ts";
import { formatOf, openMovie, scriptOf } from "./mp4-text.ts";
import { samplesOf, type TextSample } from "./text-samples.ts";
import { maxTextBytes, readStyledText, readVttCues } from "./timed-text.ts";

/** Reads the lines of a subtitle track of MP4, a part at a time. */
export function readMp4Lines(
  film: FilmBytes,
  { track: number, from }: { track: number; from: LinesCursor | null },
  isOver: () => boolean,
): LinesPart & { format: SubtitleScript } {
  const { tracks, movieTimescale } = openMovie(film);
  const track = tracks.find((one) => trackNumber(film, getBox(film, one, "tkhd")) === number);
  const format = track ? formatOf(film, track) : null;
  const script = scriptOf(format);
  if (!track || script === null) throw new DamagedFilm("the film has no such subtitles");
  const part = collectPart(isOver);
  const first = from?.at ?? 0;
  let at = 0;
  for (const sample of samplesOf(film, track, movieTimescale)) {
    if (at > first && part.isFull())
      return { format: script, head: "", lines: part.lines, next: { by: "index", at } };
    if (at++ >= first) for (const line of linesOf(film, sample, format)) part.add(line);
  }
  return { format: script, head: "", lines: part.lines, next: null };
}

/** Leaves out samples without text, which lie between two lines. */
function linesOf(film: FilmBytes, { at, size, ...times }: TextSample, format: string | null): BlockLine[] {
  if (size > maxTextBytes) return [];
  const bytes = film.read(at, size);
  const texts = format === "wvtt" ? readVttCues(bytes) : [readStyledText(bytes)];
  return texts.filter((text) => text.trim() !== "").map((text) => ({ ...times, text: Buffer.from(text) }));
}
