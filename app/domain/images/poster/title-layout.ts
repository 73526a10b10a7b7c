import type { Measure } from "./font-metrics.ts";

/** A title broken into lines of one size, as large as its box allows and as even as its words allow. */
type SetText = { lines: string[]; sizePx: number };
type Box = {
  widthPx: number;
  heightPx: number;
  largestPx: number;
  smallestPx: number;
  /** Distance of lines, and space between characters, in ems. */
  leading: number;
  tracking: number;
};

/** Scripts written without spaces may break after any character; closing marks stay with what they close. */
const breakable = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const staysBehind = /^[、。，．」』）】〉》！？ー～・…ゃゅょっャュョッァィゥェォぁぃぅぇぉ)\]!?,.:;]/u;

type Piece = { text: string; spaceBefore: boolean };

function pieces(text: string): Piece[] {
  return text.split(/\s+/u).flatMap((word) => {
    const parts: string[] = [];
    for (const character of word) {
      const last = parts.at(-1);
      const joins =
        last !== undefined &&
        (staysBehind.test(character) || !(breakable.test(character) || breakable.test(last.at(-1) ?? "")));
      if (joins) parts[parts.length - 1] += character;
      else parts.push(character);
    }
    return parts.map((part, at) => ({ text: part, spaceBefore: at === 0 }));
  });
}

/** Words in order, each on the line as long as it fits; a word wider than the line is cut. */
function fill(parts: Piece[], widthEm: number, measure: Measure): string[] {
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

/** The narrowest measure that takes no more lines: what makes them even. */
function balance(parts: Piece[], widthEm: number, measure: Measure): string[] {
  const wanted = fill(parts, widthEm, measure).length;
  let narrow = Math.max(...parts.map(({ text }) => measure(text)), widthEm / 4);
  let wide = widthEm;
  for (let step = 0; step < 8 && narrow < wide; step++) {
    const middle = (narrow + wide) / 2;
    if (fill(parts, middle, measure).length > wanted) narrow = middle;
    else wide = middle;
  }
  return fill(parts, wide, measure);
}

export function setText(text: string, box: Box, untracked: Measure): SetText {
  if (text === "") return { lines: [], sizePx: box.largestPx };
  const measure: Measure = (part) => untracked(part) + [...part].length * box.tracking;
  const parts = pieces(text);
  const widestWord = Math.max(...parts.map((part) => measure(part.text)));
  for (let sizePx = box.largestPx; sizePx > box.smallestPx; sizePx *= 0.96) {
    const widthEm = box.widthPx / sizePx;
    if (widestWord > widthEm) continue;
    const lines = balance(parts, widthEm, measure);
    if (lines.length * sizePx * box.leading <= box.heightPx) return { lines, sizePx };
  }
  const widthEm = box.widthPx / box.smallestPx;
  const room = Math.max(1, Math.floor(box.heightPx / (box.smallestPx * box.leading)));
  const lines = fill(parts, widthEm, measure);
  if (lines.length <= room) return { lines, sizePx: box.smallestPx };
  const last = lines[room - 1] ?? "";
  return {
    lines: [...lines.slice(0, room - 1), `${[...last].slice(0, -1).join("")}…`],
    sizePx: box.smallestPx,
  };
}

/** More than a poster has room for; setting takes as long as the square of it. */
const maxTitleLength = 500;

/** "Name: the rest" and "Name - the rest" are set as a title and what stands under it. */
export function splitTitle(title: string): { main: string; under: string } {
  const clean = title
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, maxTitleLength)
    .toWellFormed();
  const found = /^(?<main>.{4,}?)(?:: | - | – |[〜～~]\s?(?=.{3}))(?<under>.{3,})$/u.exec(clean)?.groups;
  const under = found?.under?.replace(/[〜～~]$/u, "");
  return found?.main && under ? { main: found.main.trimEnd(), under } : { main: clean, under: "" };
}

const upright = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー・！？。、]/u;
/** What stands sideways in a column, by its form for columns. */
const columnForms: Record<string, string> = {
  ー: "｜",
  "～": "⌇",
  "〜": "⌇",
  "、": "︑",
  "。": "︒",
  "…": "︙",
};

/** A Japanese title written downwards, one character a line; null when it is not Japanese or has no room. */
export function setColumn(
  text: string,
  roomPx: number,
  largestPx: number,
  smallestPx: number,
): SetText | null {
  const characters = [...text.replace(/\s+/gu, "")];
  if (characters.length < 2 || !characters.every((character) => upright.test(character))) return null;
  const sizePx = Math.min(largestPx, roomPx / (characters.length * 1.08));
  if (sizePx < smallestPx) return null;
  return { lines: characters.map((character) => columnForms[character] ?? character), sizePx };
}
