import { languageTag } from "../film/languages.ts";
import { millisecondsOf } from "./cues.ts";
import { wordAt } from "./sup.ts";
import type { TimedUnit } from "./vobsub.ts";

/**
 * Reads the two files of VobSub: the `.idx` file lists when each picture is shown and where it begins in the `.sub` file,
 * which is an MPEG program stream. Several languages can share them, each as a stream with a number.
 */

export type VobSubStream = {
  number: number;
  language: string | null;
  /** The part of the `.sub` file that holds the pictures. */
  start: number;
  end: number;
};
/** Lists the streams of an index on a thread. */
export type BitmapIndexJob = { kind: "bitmap index"; text: string };
type Entry = { startMs: number; at: number };

/** A DVD has 32 streams. */
const maxStreams = 32;
/** A picture has up to 64 KiB, in packs of 2 KiB that each lose a few bytes to their heads. */
const maxPictureBytes = 80 * 1024;

/** The streams that have pictures. */
export function listVobSubStreams(index: string): VobSubStream[] {
  const streams: VobSubStream[] = [];
  for (const { number, language, entries } of readIndexLines(index)) {
    if (entries.length === 0 || streams.some((other) => other.number === number)) continue;
    if (streams.length === maxStreams) break;
    let start = Number.POSITIVE_INFINITY;
    let end = 0;
    for (const { at } of entries) {
      start = Math.min(start, at);
      end = Math.max(end, at + maxPictureBytes);
    }
    streams.push({ number, language, start, end });
  }
  return streams;
}

/** `bytes` begin at byte `offset` of the `.sub` file. */
export function* readUnits(
  index: string,
  { number, bytes, offset }: { number: number; bytes: Uint8Array; offset: number },
): Generator<TimedUnit> {
  const stream = readIndexLines(index).find((one) => one.number === number && one.entries.length > 0);
  // A hostile index names the same large picture thousands of times.
  let left = bytes.length;
  for (const { startMs, at } of stream?.entries ?? []) {
    const unit = readUnitAt(bytes, at - offset, number);
    if (!unit) continue;
    left -= unit.length;
    if (left < 0) return;
    yield { startMs, durationMs: null, bytes: unit };
  }
}

type ListedStream = { number: number; language: string | null; entries: Entry[] };

/** A single expression, because an index can have a hundred thousand lines. */
const indexLine =
  /^(?:id:[ \t]*([\w-]{2,8}),[ \t]*index:[ \t]*(\d{1,2})|delay:[ \t]*(-?)(\d\d:\d\d:\d\d:\d{3})|timestamp:[ \t]*(\d\d:\d\d:\d\d:\d{3}),[ \t]*filepos:[ \t]*([\da-f]{1,9}))[ \t]*\r?$/gim;

function readIndexLines(index: string): ListedStream[] {
  const streams: ListedStream[] = [];
  let delayMs = 0;
  for (const [, language = "", number, sign, delay, time, at] of index.matchAll(indexLine)) {
    if (number !== undefined) {
      streams.push({ number: Number(number), language: languageTag(language), entries: [] });
      delayMs = 0;
    }
    // Delays add up: each one moves all pictures after it.
    if (delay !== undefined) delayMs += (sign === "-" ? -1 : 1) * millisecondsOf(delay.split(":"));
    if (time === undefined || at === undefined) continue;
    const startMs = millisecondsOf(time.split(":")) + delayMs;
    if (startMs >= 0) streams.at(-1)?.entries.push({ startMs, at: Number.parseInt(at, 16) });
  }
  return streams;
}

/** The number of the first subtitle stream among the private streams. */
const firstSubstream = 0x20;
const packCode = 0xba;
const privateCode = 0xbd;
const leastStreamCode = 0xbb;
const maxPackets = 400;

/** Joins the packets of one picture. Null: the program stream breaks a rule, or ends before the picture does. */
function readUnitAt(bytes: Uint8Array, start: number, number: number): Uint8Array | null {
  const parts: Uint8Array[] = [];
  let length = 0;
  let size = 0;
  let at = start;
  for (let packets = 0; at >= 0 && packets < maxPackets; packets++) {
    if (at + 6 > bytes.length || wordAt(bytes, at) !== 0 || bytes[at + 2] !== 1) return null;
    const code = bytes[at + 3] ?? 0;
    if (code === packCode) {
      at += 14 + ((bytes[at + 13] ?? 0) & 7);
      continue;
    }
    const end = at + 6 + wordAt(bytes, at + 4);
    if (code < leastStreamCode || end > bytes.length) return null;
    const payloadAt = at + 9 + (bytes[at + 8] ?? 0);
    at = end;
    if (code !== privateCode || bytes[payloadAt] !== firstSubstream + number) continue;
    const part = bytes.subarray(payloadAt + 1, end);
    // The first two bytes of a picture are its size.
    if (parts.length === 0) size = wordAt(part, 0);
    parts.push(part);
    length += part.length;
    if (length >= size) return Buffer.concat(parts).subarray(0, size);
  }
  return null;
}
