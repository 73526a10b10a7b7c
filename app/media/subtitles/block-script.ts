import { mebibytes } from "#app/platform/units.ts";
import { type Piece, spansInEdition } from "../film/edition.ts";
import type { SubtitleScript } from "../film/inspection.ts";
import { type BlockLine, unpackLines } from "./block-lines.ts";
import { clock, toWebVtt } from "./cues.ts";

/** Rebuilds the script from which a film's subtitle track was made. */

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
  const ordered = lines
    .sort((one, other) => one.startMs - other.startMs)
    .map((line) => ({ ...line, text: line.text.replace(/\r/g, "") }));
  return writers[script](ordered);
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

const srtScript = (lines: readonly TimedText[]) =>
  lines
    .map(({ startMs, endMs, text }) => `${clock(startMs, ",")} --> ${clock(endMs, ",")}\n${text}\n`)
    .join("\n");

const writers: Record<Exclude<SubtitleScript, "ass">, (lines: readonly TimedText[]) => string> = {
  srt: srtScript,
  vtt: toWebVtt,
};

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
  // The head also holds the sections that come after the events, such as the notes of an editor.
  const lastSection = start.match(/^\[[^\]\r\n]*\]/gm)?.at(-1);
  const endsInEvents = lastSection?.toLowerCase() === "[events]";
  return [start, ...(endsInEvents ? [] : ["", "[Events]", usualColumns]), ...events, ""].join("\n");
}
