import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import { contentOf, getBox, type Part, seekBox } from "./film-boxes.ts";

/** Finds the samples of a text track, and when they are shown (ISO/IEC 14496-12, 8.6 and 8.7). */

export type TextSample = { at: number; size: number; startMs: number; durationMs: number };

/** No film has more lines. */
const maxSamples = 100_000;

export function* samplesOf(film: FilmBytes, track: Part, movieTimescale: number): Generator<TextSample> {
  const media = getBox(film, track, "mdia");
  const table = getBox(film, media, "minf", "stbl");
  const timescale = trackTimescaleOf(contentOf(film, getBox(film, media, "mdhd")));
  const shiftMs = shiftOf(film, track, { timescale, movieTimescale });
  const ticksToMs = 1000 / timescale;
  const sizes = readSizes(film, table);
  const durations = readDurations(film, table);
  let ticks = 0;
  for (const at of placesOf(film, table, sizes)) {
    const size = sizes.next().value;
    const duration = durations.next().value ?? 0;
    if (size === undefined) return;
    yield { at, size, startMs: ticks * ticksToMs + shiftMs, durationMs: duration * ticksToMs };
    ticks += duration;
  }
}

export function trackTimescaleOf(header: Buffer): number {
  const at = header[0] === 1 ? 20 : 12;
  const timescale = header.length < at + 4 ? 0 : header.readUInt32BE(at);
  if (timescale === 0) throw new DamagedFilm("a track of the film has no clock");
  return timescale;
}

/**
 * The shift that an edit list gives the track: the track begins later, or its beginning is left out. Other edits are
 * ignored.
 */
function shiftOf(
  film: FilmBytes,
  track: Part,
  { timescale, movieTimescale }: { timescale: number; movieTimescale: number },
): number {
  const box = seekBox(film, track, "edts", "elst");
  const list = box ? contentOf(film, box) : Buffer.alloc(0);
  const isLong = list[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  let lateMs = 0;
  for (let at = 8; at + entryBytes <= list.length; at += entryBytes) {
    const duration = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const begin = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    if (begin >= 0) return lateMs - (begin * 1000) / timescale;
    lateMs += (duration * 1000) / movieTimescale;
  }
  return lateMs;
}

/** Yields the sizes of the samples; `count` is their number. */
function readSizes(film: FilmBytes, table: Part): Generator<number, undefined> & { count: number } {
  const bytes = contentOf(film, getBox(film, table, "stsz"));
  if (bytes.length < 12) throw new DamagedFilm("the sizes of the lines are missing");
  // Zero if the samples have different sizes, which then follow.
  const same = bytes.readUInt32BE(4);
  const count = Math.min(maxSamples, bytes.readUInt32BE(8));
  function* sizes(): Generator<number, undefined> {
    for (let index = 0; index < count; index++) {
      const at = 12 + 4 * index;
      if (same === 0 && at + 4 > bytes.length) return;
      yield same || bytes.readUInt32BE(at);
    }
  }
  return Object.assign(sizes(), { count });
}

function* readDurations(film: FilmBytes, table: Part): Generator<number, undefined> {
  const bytes = contentOf(film, getBox(film, table, "stts"));
  for (let at = 8; at + 8 <= bytes.length; at += 8) {
    const count = bytes.readUInt32BE(at);
    const duration = bytes.readUInt32BE(at + 4);
    for (let index = 0; index < count; index++) yield duration;
  }
}

/** Yields the positions of the samples, which follow each other within a chunk. */
function* placesOf(film: FilmBytes, table: Part, { count }: { count: number }): Generator<number> {
  const inChunks = contentOf(film, getBox(film, table, "stsc"));
  const isLong = seekBox(film, table, "co64") !== null;
  const chunks = contentOf(film, getBox(film, table, isLong ? "co64" : "stco"));
  const sizes = readSizes(film, table);
  const width = isLong ? 8 : 4;
  // The position of the current entry of `stsc`: the first chunk that it describes, then the samples in each chunk.
  let run = 8;
  let left = count;
  for (let chunk = 1, from = 8; from + width <= chunks.length && left > 0; chunk++, from += width) {
    let at = isLong ? Number(chunks.readBigUInt64BE(from)) : chunks.readUInt32BE(from);
    while (run + 24 <= inChunks.length && inChunks.readUInt32BE(run + 12) <= chunk) run += 12;
    const samples = run + 8 <= inChunks.length ? inChunks.readUInt32BE(run + 4) : 0;
    for (let index = 0; index < samples && left > 0; index++, left--) {
      yield at;
      at += sizes.next().value ?? 0;
    }
  }
}
