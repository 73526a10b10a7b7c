/** Plain subtitles: texts with their times. */

type Cue = {
  startMs: number;
  endMs: number;
  text: string;
  /** Where the cue is shown, as WebVTT writes it. */
  settings?: string;
};

/** A line of a script. `isPlaced`: its author placed it on a part of the picture, as signs are. */
export type Line = Cue & { isPlaced: boolean };

/** No film has more lines. A longer list is cut, so that a hostile file costs bounded time. */
export const maxLines = 100_000;

/** More lines at once cannot be read. Further placed lines are signs, which only the drawn subtitles can show. */
const maxAtOnce = 6;
/** Two frames of the slowest film. Signs that move are written as one line for each frame, and are joined over such gaps. */
const joinMs = 90;

/** Makes cues from a script's lines, ordered by time. A text that several layers or frames repeat becomes one cue. */
export function toCues(lines: readonly Line[]): Cue[] {
  const ordered = [...lines].sort((one, other) => one.startMs - other.startMs);
  const cues: Cue[] = [];
  const latest = new Map<string, Cue>();
  let shown: Cue[] = [];
  for (const { startMs, endMs, text, isPlaced } of ordered) {
    const same = latest.get(text);
    if (same && startMs <= same.endMs + joinMs) {
      same.endMs = Math.max(same.endMs, endMs);
      continue;
    }
    shown = shown.filter((cue) => cue.endMs > startMs);
    if (isPlaced && shown.length >= maxAtOnce) continue;
    const cue = { startMs, endMs, text };
    cues.push(cue);
    latest.set(text, cue);
    // Only a few cues are compared with later lines, so that a hostile file costs bounded time.
    if (shown.length < maxAtOnce) shown.push(cue);
  }
  return cues;
}

const blankLines = /\n(?:[ \t]*\n)+/g;

export function toWebVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(
    ({ startMs, endMs, text, settings = "" }) =>
      `${`${clock(startMs)} --> ${clock(endMs)} ${settings}`.trimEnd()}\n${text.replace(blankLines, "\n")}\n`,
  );
  return ["WEBVTT\n", ...blocks].join("\n");
}

/** A time as scripts write it. ASS has two digits after the point, and its hours are not padded. */
export function clock(ms: number, point = ".", digits: 2 | 3 = 3): string {
  const units = Math.max(0, Math.round(ms / 10 ** (3 - digits)));
  const seconds = Math.floor(units / 10 ** digits);
  const padded = (value: number, length = 2) => String(value).padStart(length, "0");
  const fraction = padded(units % 10 ** digits, digits);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${digits === 2 ? hours : padded(hours)}:${padded(minutes)}:${padded(seconds % 60)}${point}${fraction}`;
}

/** Reads a time whose parts scripts separate in different ways. */
export const millisecondsOf = ([hours, minutes, seconds, fraction = ""]: readonly string[]): number =>
  (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, "0"));

/** The text of these lines, without the spaces around each line and without empty lines. */
export const textOfLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");

/** In WebVTT, `<` begins a tag and `-->` a cue. */
export const escapeText = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
