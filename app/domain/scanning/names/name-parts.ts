import { firstOfEach } from "#app/platform/lists.ts";
import { seasonText, tidy } from "./season-words.ts";

/** The first step of reading a file name: splits it into bracket groups, release details and the remaining text. */

export type NameParts = {
  /** Texts that may contain the title and numbers, the most likely first. */
  texts: readonly NameText[];
  /** Bracket contents that are not release details: `11`, `01-04`, `Black Bullet`. */
  groups: readonly string[];
  /** The groups that stand in round brackets. */
  rounds: readonly string[];
  /** The group at the beginning of the name, which is usually the release group. */
  leading: string | null;
  year: number | null;
};

export type NameText = {
  text: string;
  /** True if words in brackets were left out. They may belong to the title. */
  isShort: boolean;
  /** The year at the end of the name, without brackets, that was left out of `text`. */
  year: number | null;
};

/** Resolution, codec, medium and similar words. The title always ends before the first of them. */
const releaseWord =
  /(?<![\p{L}\p{N}])(?:\d{3,4}[pi]|[48]k|uhd|(?:480|720|1080|2160)(?=[\s.]+(?:bd|web|dvd|hdtv))|\d{3,4}x\d{3,4}|[xh][ .]?26[45]|hevc|avc|av1|vp9|xvid|divx|(?:8|10)[ -]?bits?|hi10p?|blu-?ray|bdrip|brrip|bd|web-?(?:dl|rip)|hdtv|hdrip|dvd(?:rip)?|remux|(?:hd )?remaster(?:ed)?(?!\s*[-#]\s*\d)|ma10p|raw|aac|flac|opus|e?ac-?3|dts|dual[ -]?audio|multi[ -]?(?:sub|audio)s?|eng(?:lish)?[ -]?(?:sub|dub)\w*|(?:dub|sub)bed|(?:japanese|german|french|italian|spanish|multi|limited|extended|criterion|nf|amzn|cr|dsnp|hulu|hidive|funi)(?=[\s.]+(?:\S+[\s.]+)?(?:\d{3,4}p|blu-?ray|bd|web))|uncensored|uncut|proper|repack|complete|batch)(?![\p{L}\p{N}]).*$/iu;
const checksum = /^[\da-f]{8}$/i;
/** Matches only whole bracket contents: a height without its `p`, channels of sound, subtitle languages. */
const releaseGroup =
  /^(?:480|540|576|720|1080|1440|2160|[257]\.[01]|gb|big5|ch[st]|[jst]c|jp[st]c|[简簡繁]\S*|jpn?|jap|eng?|subs?|vostfr|v\d|\d{1,2}月新?番)$/i;
const brackets = /\[([^\]]*)\]|\{([^}]*)\}|\(([^)]*)\)/g;
export const hasLetter = /\p{L}/u;

/** File systems allow 255 bytes. Some patterns take very long for much longer texts. */
const maxNameLength = 255;

type Piece = { text: string; isGroup: boolean; isRound: boolean };

export function takeApart(stem: string): NameParts {
  const pieces = readPieces(withSpaces(withPlainSigns(stem.slice(0, maxNameLength))));
  const groups = pieces.filter(({ isGroup }) => isGroup).map(({ text }) => text);
  const contentsOf = (some: readonly Piece[]) =>
    some
      .filter(({ text, isGroup }) => isGroup && !checksum.test(text) && !releaseGroup.test(text))
      .filter(({ text }) => yearOf(text) === null)
      .map(({ text }) => tidy(text.replace(releaseWord, "")))
      .filter((text) => text !== "");
  return {
    texts: readTexts(pieces),
    groups: contentsOf(pieces),
    rounds: contentsOf(pieces.filter(({ isRound }) => isRound)),
    leading: (pieces[0]?.text === "" && contentsOf(pieces.slice(1, 2))[0]) || null,
    year: [...groups, ...bareTexts(pieces)].map(yearOf).find((year) => year !== null) ?? null,
  };
}

/**
 * Replaces full-width signs by their ASCII forms, and all kinds of square brackets by one kind. `★07月新番★` says in
 * which month the series began.
 */
const withPlainSigns = (stem: string) =>
  stem
    .replace(/★\d{1,2}月新?番★?/g, " ")
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[【『「〔《〈]/g, "[")
    .replace(/[】』」〕》〉]/g, "]")
    .replace(/\u3000/g, " ")
    // File systems that forbid a colon allow this letter that looks like one.
    .replace(/\ua789/g, ":");

/**
 * Dots and underscores count as separators only in names without spaces. The dot of a half episode such as 7.5 stays.
 */
function withSpaces(stem: string): string {
  if (stem.includes("_")) return stem.replace(/_/g, " ");
  if (/[^\s[(]\s+[^\s\])]/.test(stem.replace(brackets, " "))) return stem;
  return stem.replace(/(?<!\d)\d{1,3}\.5(?=[.\s([]|$)|[.+]/g, (found) => (found.length > 1 ? found : " "));
}

function readPieces(name: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of name.matchAll(brackets)) {
    pieces.push(plainPiece(name.slice(end, match.index)));
    const text = (match.slice(1).find((one) => one !== undefined) ?? "").trim();
    const last = pieces.at(-2);
    if (!partOfName.test(text)) pieces.push({ text, isGroup: true, isRound: match[0].startsWith("(") });
    else if (pieces.at(-1)?.text.trim() === "" && last && yearOf(last.text) === null) last.text += ` ${text}`;
    else pieces.push(plainPiece(` ${text} `));
    end = match.index + match[0].length;
  }
  return [...pieces, plainPiece(name.slice(end))];
}

/** `(Season 2)`, `[S2]`, `[第2季]` and `[S02E05]` are read as if they had no brackets. */
const partOfName = new RegExp(
  `^(?:${seasonText}|s\\d{1,2} ?e(?:p ?)?\\d{1,4}.*|第?\\d{1,4}[話话集回].*)$`,
  "iu",
);

const bareTexts = (pieces: readonly Piece[]) =>
  pieces.filter(({ isGroup }) => !isGroup).map(({ text }) => text.trim());

const plainPiece = (text: string): Piece => ({ text, isGroup: false, isRound: false });

const isRelease = (text: string) =>
  checksum.test(text) || releaseWord.test(text) || releaseGroup.test(text) || text === "";
const yearOf = (text: string) => (/^(?:19|20)\d\d$/.test(text) ? Number(text) : null);

/** A title can contain words in brackets, so the text is read both with and without them. */
function readTexts(pieces: readonly Piece[]): NameText[] {
  const namePieces = beforeRelease(pieces);
  const afterGroup = namePieces[1]?.isGroup ? namePieces.slice(2) : namePieces;
  // Capitals in square brackets are a release group.
  const isShort = namePieces.some(
    ({ isRound, text }, index) => (isRound || /\p{Ll}/u.test(text)) && isWordOfTitle(namePieces, index),
  );
  const whole = [
    { text: titleIn(withWords(namePieces)), isShort: false, year: null },
    { text: titleIn(outside(namePieces)), isShort, year: null },
    { text: titleIn(outside(afterGroup)), isShort, year: null },
  ];
  const texts = firstOfEach([...whole, ...whole.flatMap(withoutYear)], ({ text }) => text);
  return texts.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

const yearAtEnd = /^(?<title>.*[\p{L}!?)].*?[^\s-])\s+(?<year>(?:19[2-9]|20[0-3])\d)$/u;

/** A number at the end can be the year, an episode or part of the title. */
function withoutYear({ text, isShort }: NameText): NameText[] {
  const { title, year } = yearAtEnd.exec(text)?.groups ?? {};
  return title === undefined ? [] : [{ text: tidy(title), isShort, year: Number(year) }];
}

function titleIn(text: string): string {
  const bare = text.replace(releaseWord, " ");
  return tidy(hasLetter.test(bare) ? bare : text);
}

/** After the release details, only a number can still belong to the name. */
function beforeRelease(pieces: readonly Piece[]): readonly Piece[] {
  const release = pieces.findIndex(
    ({ text, isGroup }, index) =>
      isGroup && isRelease(text) && hasLetter.test(outside(pieces.slice(0, index))),
  );
  return release < 0 || numberNext.test(pieces[release + 1]?.text ?? "") ? pieces : pieces.slice(0, release);
}

const numberNext = /^\s*(?:[-‒–—#]\s*|ep?(?:isode)?\.?\s*)?(?!(?:19|20)\d\d\s*$)\d/i;

const outside = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isGroup }) => (isGroup ? " " : text)).join("");

/** Two words or more can have numbers and marks beside them. A single word with a number can be that of an episode. */
const titleWords =
  /^(?:\p{L}[\p{L} ]{0,30}|(?=.*\p{L}{2}[ .,:!?]+\p{L}{2})\p{L}[\p{L}\p{N} .,:;&!?'’☆★-]{0,60})$/u;
const episodeGroup = /^(?:ep?\.?\s*)?\d{1,4}(?:[ _]?v\d)?$/i;
const typeWords = /^(?:TV|OVA|ONA|OAD|Movie|Specials?)$/i;

const withWords = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isGroup }, index) => (isGroup && !isWordOfTitle(pieces, index) ? " " : text)).join("");

function isWordOfTitle(pieces: readonly Piece[], index: number): boolean {
  const { text = "", isGroup = false } = pieces[index] ?? {};
  if (!isGroup || !hasLetter.test(outside(pieces.slice(0, index)))) return false;
  const next = pieces.slice(index + 1).find((piece) => piece.text.trim() !== "");
  const goesOn = next?.isGroup ? episodeGroup.test(next.text) : /[\p{L}\p{N}]/u.test(next?.text ?? "");
  return typeWords.test(text) || (goesOn && titleWords.test(text) && !isRelease(text));
}
