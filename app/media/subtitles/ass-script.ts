import { escapeText, type Line, maxLines, millisecondsOf, textOfLines } from "./cues.ts";

/** Reads the dialogue of an ASS or SSA script, without its styling. */

const usualColumns = "layer,start,end,style,name,marginl,marginr,marginv,effect,text".split(",");
/** The longest line of a script that is read as text. Longer lines are drawings. */
const maxLineLength = 65_536;

export function readAssLines(script: string): Line[] {
  const lines: Line[] = [];
  let isEvents = false;
  let columns = usualColumns;
  for (let start = 0; start < script.length && lines.length < maxLines; ) {
    const end = endOfLine(script, start);
    const head = script.slice(start, Math.min(end, start + maxHeadLength));
    if (head.startsWith("[")) isEvents = /^\[events\]/i.test(head);
    else if (isEvents && /^format\s*:/i.test(head)) columns = columnsOf(script.slice(start, end));
    else if (isEvents && end - start <= maxLineLength && /^dialogue\s*:/i.test(head)) {
      const line = readDialogue(script.slice(start, end), columns);
      if (line) lines.push(line);
    }
    start = end + 1;
  }
  return lines;
}

const maxHeadLength = 12;

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** The text is the last column, because it may hold commas. */
function columnsOf(line: string): string[] {
  const names = line
    .slice(line.indexOf(":") + 1, 1000)
    .split(",")
    .map((name) => name.trim().toLowerCase());
  return names.at(-1) === "text" && names.includes("start") && names.includes("end") ? names : usualColumns;
}

function readDialogue(line: string, columns: readonly string[]): Line | null {
  const fields: Record<string, string> = {};
  let rest = line.slice(line.indexOf(":") + 1);
  for (const name of columns.slice(0, -1)) {
    const comma = rest.indexOf(",");
    if (comma < 0) return null;
    fields[name] = rest.slice(0, comma).trim();
    rest = rest.slice(comma + 1);
  }
  const startMs = readTime(fields.start);
  const endMs = readTime(fields.end);
  // Karaoke templates write each syllable as a separate line with the effect `fx`.
  if (startMs === null || endMs === null || endMs <= startMs || /^fx$/i.test(fields.effect ?? ""))
    return null;
  const { text, isPlaced } = readText(rest);
  return text === "" ? null : { startMs, endMs, text, isPlaced };
}

function readTime(text: string | undefined): number | null {
  const time = /^(\d{1,4}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})$/.exec(text ?? "");
  return time && millisecondsOf(time.slice(1));
}

/** The text without override blocks and drawings. A drawing begins after `\p1` and ends at `\p0`. */
function readText(source: string): { text: string; isPlaced: boolean } {
  let text = "";
  let isDrawing = false;
  let isPlaced = false;
  for (let at = 0; at < source.length; ) {
    const open = source.indexOf("{", at);
    const close = open < 0 ? -1 : source.indexOf("}", open);
    // A brace that is never closed is text.
    const end = close < 0 ? source.length : open;
    if (!isDrawing) text += source.slice(at, end);
    if (close < 0) break;
    const block = source.slice(open + 1, close);
    for (const [, scale] of block.matchAll(/\\p\s*(\d+)/g)) isDrawing = Number(scale) > 0;
    isPlaced ||= /\\(?:pos|move)\s*\(/.test(block);
    at = close + 1;
  }
  const lines = text.replace(/\\N/g, "\n").replace(/\\n/g, " ").replace(/\\h/g, "\u00a0");
  return { text: escapeText(textOfLines(lines.split("\n"))), isPlaced };
}
