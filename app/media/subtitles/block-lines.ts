import { mebibytes } from "#app/platform/units.ts";
import { type Piece, spansInEdition } from "../film/edition.ts";
import type { SubtitleScript } from "../film/inspection.ts";
import { toWebVtt } from "./cues.ts";

/** Packs the lines of a film's subtitle track, and rebuilds the script that they came from. */

export type BlockLine = {
  startMs: number;
  /** Null: the film does not state the duration. */
  durationMs: number | null;
  /** The text, or the bytes of a picture. */
  text: Uint8Array;
  /** Where and how WebVTT shows the line. */
  settings?: Uint8Array;
};

const headBytes = 24;

/** Writes each line as its start, its duration (or -1), the lengths of its settings and text, its settings and its text. */
export function packLines(lines: readonly BlockLine[]): Buffer {
  return Buffer.concat(
    lines.flatMap(({ startMs, durationMs, text, settings = new Uint8Array() }) => {
      const head = Buffer.alloc(headBytes);
      head.writeDoubleLE(startMs, 0);
      head.writeDoubleLE(durationMs ?? -1, 8);
      head.writeUInt32LE(settings.length, 16);
      head.writeUInt32LE(text.length, 20);
      return [head, settings, text];
    }),
  );
}

export function* unpackLines(packed: Uint8Array): Generator<Required<BlockLine>> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const startMs = bytes.readDoubleLE(at);
    const durationMs = bytes.readDoubleLE(at + 8);
    const textAt = at + headBytes + bytes.readUInt32LE(at + 16);
    const end = textAt + bytes.readUInt32LE(at + 20);
    yield {
      startMs,
      durationMs: durationMs < 0 ? null : durationMs,
      settings: bytes.subarray(at + headBytes, textAt),
      text: bytes.subarray(textAt, end),
    };
    at = end;
  }
}

type TimedText = { startMs: number; endMs: number; text: string; settings?: string };

/** The duration of a line if the film states none. */
const usualMs = 5000;

const textOf = ({ startMs, durationMs, text, settings }: Required<BlockLine>): TimedText => ({
  startMs,
  endMs: startMs + (durationMs ?? usualMs),
  text: Buffer.from(text)
    .toString("utf8")
    .replace(/\0[\s\S]*$/, ""),
  ...(settings.length > 0 && { settings: knownSettings(Buffer.from(settings).toString("utf8")) }),
});

/** Leaves out everything that is no setting of a cue, so that text from the film cannot begin another cue. */
const knownSettings = (settings: string) =>
  settings
    .split(/\s+/)
    .filter((one) => /^(?:vertical|line|position|size|align):[\w.,%-]{1,40}$/.test(one))
    .join(" ");

/**
 * `head` is the part of an ASS script that the film stores beside the lines. `pieces`: set if the film is played in
 * another order than it has in the file.
 */
export function scriptOfLines(
  packed: Uint8Array,
  script: SubtitleScript,
  { head, pieces }: { head: string; pieces: readonly Piece[] | null },
): string {
  const read = Array.from(unpackLines(packed), textOf);
  const lines = pieces ? inEdition(read, pieces) : read;
  if (script === "ass") return assScript(head, lines);
  const ordered = lines.sort((one, other) => one.startMs - other.startMs);
  return script === "srt" ? srtScript(ordered) : toWebVtt(ordered.map(rounded));
}

/** More than any script has. Hostile lines are shown in many pieces at once. */
const maxEditionLines = 100_000;
const maxEditionLength = mebibytes(32);

/** A piece shows a line as long as it plays what the line belongs to. */
function inEdition(lines: readonly TimedText[], pieces: readonly Piece[]): TimedText[] {
  const played: TimedText[] = [];
  let length = 0;
  for (const line of lines) {
    const spans = spansInEdition({ start: line.startMs / 1000, end: line.endMs / 1000 }, pieces);
    for (const { start, end } of spans) {
      length += line.text.length;
      if (played.length >= maxEditionLines || length > maxEditionLength) return played;
      played.push({ ...line, startMs: start * 1000, endMs: end * 1000 });
    }
  }
  return played;
}

const rounded = ({ startMs, endMs, text, ...settings }: TimedText) => ({
  ...settings,
  startMs: Math.max(0, Math.round(startMs)),
  endMs: Math.max(0, Math.round(endMs)),
  text: text.replace(/\r/g, ""),
});

const srtScript = (lines: readonly TimedText[]) =>
  lines
    .map(rounded)
    .map(({ startMs, endMs, text }) => `${clock(startMs, ",", 3)} --> ${clock(endMs, ",", 3)}\n${text}\n`)
    .join("\n");

const usualColumns = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text";

/**
 * Restores the order of the script. The film stores lines by time, but lines that are shown at once overlap in the
 * order of the script.
 */
function assScript(head: string, lines: readonly TimedText[]): string {
  const events = lines
    .map((line) => ({ line, fields: /^(\d+),([^,]*),([\s\S]*)$/.exec(line.text) }))
    .flatMap(({ line, fields }) => {
      const [, place, layer, rest = ""] = fields ?? [];
      return place === undefined ? [] : [{ ...line, place: Number(place), layer, rest }];
    })
    .sort((one, other) => one.place - other.place)
    .map(({ startMs, endMs, layer, rest }) => {
      const text = rest.replace(/\r?\n/g, "\\N");
      return `Dialogue: ${layer},${clock(startMs, ".", 2)},${clock(endMs, ".", 2)},${text}`;
    });
  const start = head.replace(/\0[\s\S]*$/, "").trimEnd();
  const hasEvents = /^\[events\]/im.test(start);
  return [start, ...(hasEvents ? [] : ["", "[Events]", usualColumns]), ...events, ""].join("\n");
}

function clock(ms: number, point: string, digits: 2 | 3): string {
  const units = Math.max(0, Math.round(ms / 10 ** (3 - digits)));
  const seconds = Math.floor(units / 10 ** digits);
  const padded = (value: number, length = 2) => String(value).padStart(length, "0");
  const fraction = padded(units % 10 ** digits, digits);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${digits === 2 ? hours : padded(hours)}:${padded(minutes)}:${padded(seconds % 60)}${point}${fraction}`;
}
