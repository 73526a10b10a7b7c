import type { ChapterStart } from "../film/chapter-ends.ts";
import { type FilmBytes, withinBudget } from "../film/film-bytes.ts";
import type { SubtitleScript, SubtitleTrack } from "../film/inspection.ts";
import { languageTag } from "../film/languages.ts";
import { boxesIn, contentOf, getBox, handlerOf, type Part, seekBox, trackNumber } from "./film-boxes.ts";
import { samplesOf, trackTimescaleOf } from "./text-samples.ts";
import { maxTextBytes, readPlainText } from "./timed-text.ts";

/** Reads the subtitles and chapters of MP4, M4V and MOV. */

/** More than the descriptions of all tracks and the names of all chapters of any film. */
const maxReadBytes = 8 * 1024 * 1024;
const maxTracks = 200;
const maxChapters = 500;

export function readMp4Text(whole: FilmBytes) {
  const film = withinBudget(whole, maxReadBytes);
  const { tracks, movieTimescale, movie } = openMovie(film);
  const ofChapters = new Set(tracks.flatMap((track) => chapterTracksOf(film, track)));
  const subtitles: SubtitleTrack[] = [];
  let chapters: ChapterStart[] = [];
  for (const track of tracks) {
    const number = trackNumber(film, getBox(film, track, "tkhd"));
    if (ofChapters.has(number)) {
      if (chapters.length === 0) chapters = readChapterTrack(film, track, movieTimescale);
    } else {
      const subtitle = subtitleTrack(film, track, { number, movieTimescale });
      if (subtitle) subtitles.push(subtitle);
    }
  }
  return { subtitles, chapters: chapters.length > 0 ? chapters : readChapterList(film, movie) };
}

/** Finds the tracks of a film, of every kind. */
export function openMovie(film: FilmBytes) {
  const movie = getBox(film, { start: 0, end: film.size }, "moov");
  const tracks = [...boxesIn(film, movie)].filter(({ type }) => type === "trak").slice(0, maxTracks);
  const movieTimescale = trackTimescaleOf(contentOf(film, getBox(film, movie, "mvhd")));
  return { movie, tracks, movieTimescale };
}

function chapterTracksOf(film: FilmBytes, track: Part): number[] {
  const box = seekBox(film, track, "tref", "chap");
  const bytes = box ? contentOf(film, box) : Buffer.alloc(0);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32BE(4 * index));
}

/** `emptyBytes`: the length of a sample without text, which lies between two lines. */
type Format = { codecLabel: string; script: SubtitleScript | null; emptyBytes: number };

/** The formats of subtitles by their names in MP4. */
const formats: Readonly<Record<string, Format>> = {
  c608: { codecLabel: "CEA-608", script: null, emptyBytes: 0 },
  mp4s: { codecLabel: "VobSub", script: null, emptyBytes: 0 },
  stpp: { codecLabel: "TTML", script: null, emptyBytes: 0 },
  tx3g: { codecLabel: "MP4 text", script: "srt", emptyBytes: 2 },
  wvtt: { codecLabel: "WebVTT", script: "vtt", emptyBytes: 8 },
};
const handlers: ReadonlySet<string> = new Set(["sbtl", "subt", "text", "subp", "clcp"]);

/** The format of a track's text. Null: the track does not hold subtitles. */
export function formatOf(film: FilmBytes, track: Part): string | null {
  const media = getBox(film, track, "mdia");
  const isText = handlers.has(handlerOf(film, media));
  const descriptions = isText ? seekBox(film, media, "minf", "stbl", "stsd") : null;
  if (!descriptions) return null;
  return Buffer.from(film.read(descriptions.start + 12, 4)).toString("latin1");
}

export const scriptOf = (format: string | null): SubtitleScript | null =>
  formats[format ?? ""]?.script ?? null;

const isEnabled = 1;

function subtitleTrack(
  film: FilmBytes,
  track: Part,
  { number, movieTimescale }: { number: number; movieTimescale: number },
): SubtitleTrack | null {
  const format = formatOf(film, track);
  const formatFacts = format === null ? undefined : formats[format];
  if (!formatFacts) return null;
  let lines = 0;
  for (const { size } of samplesOf(film, track, movieTimescale)) if (size > formatFacts.emptyBytes) lines++;
  // The subtitles of a fragmented film are not in the index.
  if (lines === 0) return null;
  const roles = rolesOf(film, track);
  const header = contentOf(film, getBox(film, track, "tkhd"));
  return {
    number,
    codecLabel: formatFacts.codecLabel,
    script: formatFacts.script,
    bitmaps: null,
    codec: null,
    language: languageOf(film, track),
    title: titleOf(film, track),
    isDefault: ((header[3] ?? 0) & isEnabled) !== 0,
    isForced: roles.some((role) => /^forced[-_]subtitle/.test(role)) || isAlwaysForced(film, track, format),
    isForHearingImpaired: roles.includes("caption"),
    isForVisualImpaired: false,
    isCommentary: roles.includes("commentary"),
    lines,
  };
}

/** Whether the track's description says that all samples are forced. */
function isAlwaysForced(film: FilmBytes, track: Part, format: string | null): boolean {
  const { start } = getBox(film, track, "mdia", "minf", "stbl", "stsd");
  return format === "tx3g" && ((film.read(start + 24, 1)[0] ?? 0) & 0x80) !== 0;
}

/** The language is stored as three letters of five bits each. Smaller numbers are language codes of old Macs. */
function languageOf(film: FilmBytes, track: Part): string | null {
  const media = getBox(film, track, "mdia");
  const exact = seekBox(film, media, "elng");
  if (exact) return languageTag(textOf(contentOf(film, exact).subarray(4)));
  const header = contentOf(film, getBox(film, media, "mdhd"));
  const at = header[0] === 1 ? 32 : 20;
  const packed = header.length < at + 2 ? 0 : header.readUInt16BE(at);
  const letters = [10, 5, 0].map((shift) => String.fromCharCode(0x60 + ((packed >> shift) & 31)));
  return packed < 0x400 ? null : languageTag(letters.join(""));
}

const maxTitleLength = 500;

function titleOf(film: FilmBytes, track: Part): string | null {
  const box = seekBox(film, track, "udta", "name");
  return box ? titleIn(contentOf(film, box)) : null;
}

/** The roles of a track, in the terms of DASH. */
function rolesOf(film: FilmBytes, track: Part): string[] {
  const data = seekBox(film, track, "udta");
  const kinds = data ? [...boxesIn(film, data)].filter(({ type }) => type === "kind") : [];
  return kinds.flatMap((kind) => {
    const [scheme, role] = contentOf(film, kind).toString("latin1", 4).split("\0");
    return scheme?.startsWith("urn:mpeg:dash:role:") && role !== undefined ? [role] : [];
  });
}

/** Removes control characters, and characters that change the direction of the text after them. */
const textOf = (bytes: Uint8Array) =>
  new TextDecoder()
    .decode(bytes)
    .replace(/\0[\s\S]*$/, "")
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();

/** Null for an empty title. The cut can halve a character, and the database refuses half a character. */
const titleIn = (bytes: Uint8Array): string | null =>
  textOf(bytes).slice(0, maxTitleLength).toWellFormed() || null;

function readChapterTrack(film: FilmBytes, track: Part, movieTimescale: number): ChapterStart[] {
  const chapters: ChapterStart[] = [];
  for (const { at, size, startMs, durationMs } of samplesOf(film, track, movieTimescale)) {
    if (chapters.length >= maxChapters) break;
    const title = titleIn(Buffer.from(readPlainText(film.read(at, Math.min(size, maxTextBytes)))));
    const start = Math.max(0, startMs / 1000);
    chapters.push({ title, start, end: start + durationMs / 1000 });
  }
  return chapters;
}

/** Reads Nero's list of chapters: for each chapter its start, in units of 100 ns, and its title after a length of one byte. */
function readChapterList(film: FilmBytes, movie: Part): ChapterStart[] {
  const box = seekBox(film, movie, "udta", "chpl");
  const bytes = box ? contentOf(film, box) : Buffer.alloc(0);
  const chapters: ChapterStart[] = [];
  const countAt = bytes[0] === 0 ? 4 : 8;
  let at = countAt + 1;
  for (let left = bytes[countAt] ?? 0; left > 0 && at + 9 <= bytes.length; left--) {
    const start = Number(bytes.readBigUInt64BE(at)) / 1e7;
    const end = at + 9 + (bytes[at + 8] ?? 0);
    chapters.push({ title: textOf(bytes.subarray(at + 9, end)) || null, start, end: null });
    at = end;
  }
  return chapters.filter(({ start }) => start < maxSeconds);
}

const maxSeconds = 1e6;
