import type { Measure } from "./font-metrics.ts";

/** Breaks titles into lines of one font size, as large as the box allows and similar in length. */

type TextLines = { lines: string[]; sizePx: number };
type Box = {
  widthPx: number;
  heightPx: number;
  largestPx: number;
  smallestPx: number;
  /** Line height and space between characters, in ems. */
  leading: number;
  tracking: number;
};

/** Scripts without spaces may break after any character, except before closing punctuation and small kana. */
const breakable = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const mayNotStartLine = /^[、。，．」』）】〉》！？ー～・…ゃゅょっャュョッァィゥェォぁぃぅぇぉ)\]!?,.:;]/u;

type Piece = { text: string; spaceBefore: boolean };

function pieces(text: string): Piece[] {
  return text.split(/\s+/u).flatMap((word) => {
    const parts: string[] = [];
    for (const character of word) {
      const last = parts.at(-1);
      const isJoined =
        last !== undefined &&
        (mayNotStartLine.test(character) ||
          !(breakable.test(character) || breakable.test(last.at(-1) ?? "")));
      if (isJoined) parts[parts.length - 1] += character;
      else parts.push(character);
    }
    return parts.map((part, at) => ({ text: part, spaceBefore: at === 0 }));
  });
}

/** Fills lines word by word. A word wider than a line is cut. */
function fillLines(parts: Piece[], widthEm: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = "";
  for (const { text, spaceBefore } of parts) {
    const longer = line === "" ? text : line + (spaceBefore ? " " : "") + text;
    if (line === "" || measure(longer) <= widthEm) line = longer;
    else {
      lines.push(line);
      line = text;
    }
    while (measure(line) > widthEm && [...line].length > 1) {
      const cut = longestFitting(line, widthEm, measure);
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
    }
  }
  return line === "" ? lines : [...lines, line];
}

function longestFitting(line: string, widthEm: number, measure: Measure): number {
  let end = 0;
  for (const character of line) {
    if (end > 0 && measure(line.slice(0, end + character.length)) > widthEm) break;
    end += character.length;
  }
  return end;
}

/** Finds the narrowest width that needs no additional line, which makes the lines similar in length. */
function balanceLines(parts: Piece[], widthEm: number, measure: Measure): string[] {
  const lineCount = fillLines(parts, widthEm, measure).length;
  let narrow = Math.max(...parts.map(({ text }) => measure(text)), widthEm / 4);
  let wide = widthEm;
  for (let step = 0; step < 8 && narrow < wide; step++) {
    const middle = (narrow + wide) / 2;
    if (fillLines(parts, middle, measure).length > lineCount) narrow = middle;
    else wide = middle;
  }
  return fillLines(parts, wide, measure);
}

export function layOutText(text: string, box: Box, measureUntracked: Measure): TextLines {
  if (text === "") return { lines: [], sizePx: box.largestPx };
  const measure: Measure = (part) => measureUntracked(part) + [...part].length * box.tracking;
  const parts = pieces(text);
  const widestWord = Math.max(...parts.map((part) => measure(part.text)));
  for (let sizePx = box.largestPx; sizePx > box.smallestPx; sizePx *= 0.96) {
    const widthEm = box.widthPx / sizePx;
    if (widestWord > widthEm) continue;
    const lines = balanceLines(parts, widthEm, measure);
    if (lines.length * sizePx * box.leading <= box.heightPx) return { lines, sizePx };
  }
  const widthEm = box.widthPx / box.smallestPx;
  const maxLines = Math.max(1, Math.floor(box.heightPx / (box.smallestPx * box.leading)));
  const lines = fillLines(parts, widthEm, measure);
  if (lines.length <= maxLines) return { lines, sizePx: box.smallestPx };
  const last = lines[maxLines - 1] ?? "";
  return {
    lines: [...lines.slice(0, maxLines - 1), `${[...last].slice(0, -1).join("")}…`],
    sizePx: box.smallestPx,
  };
}

/**
 * Returns the first of the names that the font can draw, or "". A sign without a glyph is dropped. A name with a letter
 * that has none is passed over, because it would be wrong without the letter.
 */
export function drawableName(
  names: readonly (string | null)[],
  hasGlyph: (character: string) => boolean,
): string {
  const isDrawn = (character: string) => /\s/u.test(character) || hasGlyph(character);
  for (const name of names) {
    const characters = [...(name ?? "").normalize("NFC")];
    if (characters.some((character) => /[\p{L}\p{N}]/u.test(character) && !hasGlyph(character))) continue;
    const drawn = characters.filter(isDrawn).join("").trim();
    if (drawn !== "") return drawn;
  }
  return "";
}

/** Longer titles do not fit on a poster, and layout time grows with the square of the length. */
const maxTitleLength = 500;

/** Splits "Name: rest" and "Name - rest", so that the rest can be drawn smaller below the name. */
export function splitTitle(title: string): { main: string; rest: string } {
  const clean = title
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, maxTitleLength)
    .toWellFormed();
  const parts = /^(?<main>.{4,}?)(?:: | - | – |[〜～~]\s?(?=.{3}))(?<rest>.{3,})$/u.exec(clean)?.groups;
  const rest = parts?.rest?.replace(/[〜～~]$/u, "");
  return parts?.main && rest ? { main: parts.main.trimEnd(), rest } : { main: clean, rest: "" };
}

const upright = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー・！？。、]/u;
/** Lays out a Japanese title vertically, one character per line. Null if the title is not Japanese or does not fit. */
export function layOutColumn(
  text: string,
  roomPx: number,
  largestPx: number,
  smallestPx: number,
): TextLines | null {
  const characters = [...text.replace(/\s+/gu, "")];
  if (characters.length < 2 || !characters.every((character) => upright.test(character))) return null;
  const sizePx = Math.min(largestPx, roomPx / (characters.length * 1.08));
  if (sizePx < smallestPx) return null;
  return { lines: characters, sizePx };
}
