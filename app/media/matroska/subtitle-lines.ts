import { kibibytes, mebibytes } from "#app/platform/units.ts";
import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import type { BitmapFormat, SubtitleScript } from "../film/inspection.ts";
import type { BlockLine } from "../subtitles/block-lines.ts";
import { blocksFrom, readBlockHead } from "./clusters.ts";
import { childFields, childrenOf, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import { type IndexEntry, readIndexEntries } from "./index-entries.ts";
import { readTimestampScale } from "./inspect-matroska.ts";
import { type MatroskaFile, openMatroska, readHeadAt } from "./matroska-file.ts";
import { findSubtitles } from "./tracks.ts";

/**
 * Reads the lines of a subtitle track, a part at a time. If the index lists each line, only the lines are read;
 * otherwise the heads of all blocks of the film are read too.
 */

/** Where the next part begins: at an entry of the index, or at a cluster of the file. */
export type LinesCursor = { by: "index" | "walk"; at: number };

export type LinesPart = {
  format: SubtitleScript | BitmapFormat;
  /** The head of an ASS script, which precedes its lines, or the index of VobSub. */
  head: string;
  lines: BlockLine[];
  /** Null: these were the last lines. */
  next: LinesCursor | null;
};

/** Longer lines are left out. A drawing of a film's title takes a few hundred kilobytes. */
const maxLineBytes = kibibytes(512);
/** The most that a disc player takes for one picture, before it is decoded. */
const maxBitmapLineBytes = mebibytes(1);
/** A part ends at this size, because it is sent in one message. */
const maxPartBytes = mebibytes(2);
/** The memory of a line beside its text. It counts, because a hostile film has millions of empty lines. */
const overheadBytes = 100;
/** A film with a larger part is refused: a part can only end with a cluster, and a hostile film has only one. */
const mostPartBytes = 4 * maxPartBytes;

type Subtitles = NonNullable<ReturnType<typeof findSubtitles>> & { maxBytes: number };
type OpenTrack = Subtitles & { film: FilmBytes; file: MatroskaFile; number: number; msPerTick: number };

export function readSubtitleLines(
  film: FilmBytes,
  { track: number, from }: { track: number; from: LinesCursor | null },
  isOver: () => boolean,
): LinesPart {
  const file = openMatroska(film);
  const subtitles = file && findSubtitles(file.read(ids.tracks), number);
  if (!file || !subtitles) throw new DamagedFilm("the film has no such subtitles");
  const isBitmap = subtitles.format === "pgs" || subtitles.format === "vobsub";
  const track = {
    ...subtitles,
    maxBytes: isBitmap ? maxBitmapLineBytes : maxLineBytes,
    film,
    file,
    number,
    msPerTick: readTimestampScale(file) / 1e6,
  };
  const part = collectPart(isOver);
  const cues = from?.by === "walk" ? null : findWholeIndex(track);
  const next = cues ? readIndexed(track, cues, from?.at ?? 0, part) : walk(track, from, part);
  return { format: subtitles.format, head: subtitles.head, lines: part.lines, next };
}

type Collected = ReturnType<typeof collectPart>;

export function collectPart(isOver: () => boolean) {
  const lines: BlockLine[] = [];
  let bytes = 0;
  return {
    lines,
    add(line: BlockLine | null) {
      if (!line) return;
      const { text, settings, ...times } = line;
      // Copies: a view would keep all bytes that were read with the line, which can be thousands of times as many.
      lines.push({ ...times, text: Buffer.from(text), ...(settings && { settings: Buffer.from(settings) }) });
      bytes += text.length + (settings?.length ?? 0) + overheadBytes;
      if (bytes > mostPartBytes) throw new DamagedFilm("a part of the film has too much text");
    },
    isFull: () => bytes > maxPartBytes || isOver(),
  };
}

/**
 * The index entries of the track, or null if they do not list each of its lines. Some programs write no entries, or one
 * for each cluster.
 */
function findWholeIndex(track: OpenTrack): IndexEntry[] | null {
  const cues = readIndexEntries(track.file).filter((cue) => cue.track === track.number);
  const places = new Set(cues.map(({ clusterAt, relative }) => `${clusterAt} ${relative}`));
  const isExact = cues.length > 0 && cues.every(({ relative }) => relative !== null);
  return isExact && places.size === cues.length && isWholeAtFirst(track, cues) ? cues : null;
}

const checkedClusters = 3;
const maxCheckedBlocks = 5000;

/** Checks the index against the first clusters that it names. */
function isWholeAtFirst({ film, number }: OpenTrack, cues: readonly IndexEntry[]): boolean {
  const clusters = [...new Set(cues.map(({ clusterAt }) => clusterAt))].slice(0, checkedClusters);
  return clusters.every((at) => {
    let count = 0;
    let seen = 0;
    for (const block of blocksFrom(film, at)) {
      if (block.clusterAt !== at || ++seen > maxCheckedBlocks) break;
      if (block.track === number) count++;
    }
    return count === cues.filter(({ clusterAt }) => clusterAt === at).length;
  });
}

function readIndexed(track: OpenTrack, cues: readonly IndexEntry[], from: number, part: Collected) {
  for (let at = from; at < cues.length; at++) {
    if (at > from && part.isFull()) return { by: "index" as const, at };
    const cue = cues[at];
    if (cue) part.add(readCuedLine(track, cue));
  }
  return null;
}

/** A line that is not where the index says is left out, as players do. */
function readCuedLine(track: OpenTrack, { clusterAt, relative, ticks }: IndexEntry): BlockLine | null {
  const { film, number, msPerTick, maxBytes } = track;
  const cluster = readHeadAt(film, clusterAt);
  const element = cluster?.id === ids.cluster ? readHeadAt(film, cluster.start + (relative ?? 0)) : null;
  if (!element || element.end === null || element.end - element.start > maxBytes) return null;
  const content = film.read(element.start, element.end - element.start);
  const isGroup = element.id === ids.blockGroup;
  const fields = isGroup ? childFields(content) : null;
  const block = fields?.get(ids.block) ?? (element.id === ids.simpleBlock ? content : undefined);
  const head = block && readBlockHead(block);
  if (!head || head.track !== number) return null;
  const duration = fields?.get(ids.blockDuration);
  const additions = fields?.get(ids.blockAdditions);
  return {
    startMs: ticks * msPerTick,
    durationMs: duration ? readUnsigned(duration) * msPerTick : null,
    ...decoded(track, block.subarray(head.length), () => additions),
  };
}

function walk(track: OpenTrack, from: LinesCursor | null, part: Collected): LinesCursor | null {
  const { film, file, number, msPerTick, maxBytes } = track;
  const start = from?.by === "walk" ? from.at : file.firstCluster;
  if (start === null) return null;
  let clusterAt = start;
  for (const block of blocksFrom(film, start)) {
    if (block.clusterAt !== clusterAt && part.isFull()) return { by: "walk", at: block.clusterAt };
    clusterAt = block.clusterAt;
    const length = block.end - block.dataAt;
    if (block.track !== number || length > maxBytes) continue;
    part.add({
      startMs: block.ticks * msPerTick,
      durationMs: block.durationTicks === null ? null : block.durationTicks * msPerTick,
      ...decoded(track, film.read(block.dataAt, length), () => readAdditions(film, block.additions)),
    });
  }
  return null;
}

/** The text of a line; empty if it cannot be decompressed. */
function decoded(
  { decode, maxBytes, cueSettings }: Subtitles,
  block: Uint8Array,
  additions: () => Uint8Array | undefined,
): Pick<BlockLine, "text" | "settings"> {
  let text: Uint8Array;
  try {
    text = decode(block, maxBytes);
  } catch {
    return { text: new Uint8Array() };
  }
  if (cueSettings === "text") return withoutCueHead(text);
  return cueSettings === "additions" ? { text, settings: settingsIn(additions()) } : { text };
}

const newLine = 0x0a;

function withoutCueHead(block: Uint8Array): Pick<BlockLine, "text" | "settings"> {
  const settingsAt = block.indexOf(newLine) + 1;
  const textAt = block.indexOf(newLine, settingsAt) + 1;
  if (settingsAt === 0 || textAt === 0) return { text: new Uint8Array() };
  return { settings: block.subarray(settingsAt, textAt - 1), text: block.subarray(textAt) };
}

/** Settings are short. What follows them, such as comments, can be long. */
const maxAdditionBytes = kibibytes(16);

function readAdditions(film: FilmBytes, additions: { at: number; end: number } | null) {
  const length = additions ? additions.end - additions.at : 0;
  return additions && length <= maxAdditionBytes ? film.read(additions.at, length) : undefined;
}

/** The settings of a cue are the first line of the addition with the number 1; its name and comments follow. */
function settingsIn(additions: Uint8Array | undefined): Uint8Array {
  try {
    for (const { id, content } of additions ? childrenOf(additions) : []) {
      if (id !== ids.blockMore) continue;
      const fields = childFields(content);
      const number = fields.get(ids.blockAddId);
      const text = fields.get(ids.blockAdditional);
      if (!text || (number && readUnsigned(number) !== 1)) continue;
      const end = text.indexOf(newLine);
      return text.subarray(0, Math.min(end < 0 ? text.length : end, maxAdditionBytes));
    }
  } catch (error) {
    if (!(error instanceof DamagedFilm)) throw error;
  }
  return new Uint8Array();
}
