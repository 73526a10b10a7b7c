import { escapeText, type Line, maxLines, millisecondsOf, textOfLines } from "./cues.ts";

/** Reads SubRip. Keeps bold, italic and underlined text, the only styles that WebVTT has too. */

const timing =
  /^\s*(\d{1,4}):(\d{1,2}):(\d{1,2})[,.:](\d{1,3})\s*-->\s*(\d{1,4}):(\d{1,2}):(\d{1,2})[,.:](\d{1,3})/;
const maxLineLength = 4096;

export function readSrtLines(source: string): Line[] {
  const lines: Line[] = [];
  let current: { startMs: number; endMs: number; text: string[] } | null = null;
  const finish = () => {
    const text = current ? cleanText(current.text) : "";
    if (current && text !== "" && current.endMs > current.startMs)
      lines.push({ startMs: current.startMs, endMs: current.endMs, text, isPlaced: false });
  };
  for (const one of eachLine(source)) {
    if (lines.length >= maxLines) return lines;
    const times = one.includes("-->") ? timing.exec(one) : null;
    if (times) {
      // The number of this cue was read as the last line of the cue before.
      if (/^\s*\d+\s*$/.test(current?.text.at(-1) ?? "")) current?.text.pop();
      finish();
      current = {
        startMs: millisecondsOf(times.slice(1, 5)),
        endMs: millisecondsOf(times.slice(5, 9)),
        text: [],
      };
    } else if (current && current.text.length < maxLinesOfCue) current.text.push(one);
  }
  finish();
  return lines;
}

const maxLinesOfCue = 40;

function* eachLine(source: string): Generator<string> {
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf("\n", start);
    const stop = end < 0 ? source.length : end;
    yield source.slice(start, Math.min(stop, start + maxLineLength)).replace(/\r$/, "");
    start = stop + 1;
  }
}

function cleanText(lines: readonly string[]): string {
  const plain = textOfLines(lines)
    .replace(/\{\\[^{}]*\}/g, "")
    .replace(/<\/?font\b[^<>]*>/gi, "");
  return escapeText(plain).replace(/&lt;(\/?[biu])&gt;/gi, (_, tag: string) => `<${tag.toLowerCase()}>`);
}
