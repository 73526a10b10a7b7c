import { tidy } from "./season-words.ts";

/**
 * The second step of reading a file name: finds the episode number. A name can have several readings; the catalog
 * decides which one is right.
 */

export type Numbered = {
  /** The text before the number, or after it if the name begins with the number. */
  title: string;
  season: number | null;
  /** Null if the name has no number, or only one that is not a whole episode, such as 7.5. */
  first: number | null;
  /** The last episode in the film. The same as `first` unless the film contains several episodes. */
  last: number | null;
  /** `SP 1`, `OVA 2`: specials have their own numbers, separate from the series. */
  special: string | null;
  /** The name has a number, but not a whole episode: `7.5`, `Vol. 3`. */
  isOther: boolean;
  /** The number of a half episode: `7.5`. */
  half: string | null;
};

const number = String.raw`(?<first>\d{1,4})(?<half>\.\d|[A-D](?![\p{L}\p{N}]))?['’]?(?:v\d)?`;
const range = String.raw`(?:(?<join>\s*[-+~&]\s*)(?:ep?\.?\s*)?(?<last>\d{1,4})(?:v\d)?)?`;
const end = String.raw`(?![\p{L}\p{N}]|\.\d)`;
const start = String.raw`(?<![\p{L}\p{N}])`;
const episodeWord = `(?:episode|épisode|epis[oó]dio|capitulo|capítulo|cap|folge|odcinek|серия|ep|e)`;
const chapterWord = `(?:session|layer|chapter|mission|phase|act|stage|lesson)`;
const specialWord = `(?<special>sp|specials?|ova|oad|ona)`;
/** In `Show - 100 Years - 09`, the number at the end is the episode's. In `Show - 05 - Home - 1999` it is the year. */
const notAtEnd = String.raw`(?!\s.*\p{L}.*\s[-‒–—]\s+(?!(?:19|20)\d\d$)\d{1,4}(?:v\d)?(?:\s+(?:end|fin|final))?$)`;
const shape = (text: string) => new RegExp(text, "iu");

type Shape = {
  pattern: RegExp;
  isOther?: boolean;
  /** A word or a mark identifies the number as the episode's, so no other number in the name can be. */
  isMarked?: boolean;
};

/** The most reliable patterns come first. */
const shapes: readonly Shape[] = [
  {
    isMarked: true,
    pattern: shape(
      String.raw`^(?<before>.*?)${start}s(?<season>\d{1,2})[ ._-]*e(?:p)?[ ._]?${number}(?:(?:-e?|e)(?<last>\d{1,4}))?${end}`,
    ),
  },
  {
    isMarked: true,
    pattern: shape(
      String.raw`^(?<before>.*?)${start}(?<season>\d{1,2})x(?<first>\d{2,4})(?<half>\.\d)?${end}`,
    ),
  },
  {
    isMarked: true,
    pattern: shape(`^(?<before>.*?)${start}${episodeWord}[ ._-]*${number}${range}${end}`),
  },
  { isMarked: true, pattern: shape(String.raw`^(?<before>.*?)第?\s*${number}\s*(?:[話话集回화회]|серия)`) },
  { isMarked: true, pattern: shape(String.raw`^(?<before>.*?)\s*#\s*${number}${range}${end}`) },
  {
    isMarked: true,
    pattern: shape(String.raw`^(?<before>.+?)[\s-]+${specialWord}[ ._-]*(?<first>\d{1,3})(?:v\d)?${end}`),
  },
  {
    isMarked: true,
    pattern: shape(String.raw`^(?<before>.+?)\s*[-‒–—]\s+${number}${range}(?=\s|$)${notAtEnd}`),
  },
  { pattern: shape(String.raw`^(?<before>.+?)[ ._-]+vol(?:ume)?[ .]*\d`), isOther: true },
  {
    pattern: shape(
      String.raw`^(?<before>)(?<first>\d{1,4})(?<half>\.\d)?(?:v\d)?\s*[-.]\s+(?<after>.*\p{L}.*)$`,
    ),
  },
  {
    pattern: shape(
      String.raw`^(?<before>.*[\p{L}!?)].*?)\s+${number}${range}(?:\s+v\d|\s+(?:end|fin|final)|\s*of\s*\d+)?$`,
    ),
  },
  { pattern: shape(String.raw`^(?<before>.+?-)(?<first>\d{2,4})(?<half>\.\d)?(?:v\d)?(?=\s)`) },
  { pattern: shape(String.raw`^(?<before>.+?)\s+[-‒–—]\s+${chapterWord}\s+${number}${end}`) },
  {
    pattern: shape(
      String.raw`^(?<before>.*?\p{L}.*?)\s+(?<first>\d{2,3})(?<half>\.\d)?(?:v\d)?(?=\s+(?:[-‒–—]\s+)?\p{L})`,
    ),
  },
  { pattern: shape(String.raw`^(?<before>.*\p{L})(?<first>\d{2,3})(?:v\d)?$`) },
];
/** A file name that is only a number, in a folder named after the title. */
const bare: Shape = {
  pattern: shape(String.raw`^(?<before>)(?:${chapterWord}\s+)?${number}${range}(?:\s*[-.]\s*.*|\s+\D.*)?$`),
};
const bareSpecial: Shape = {
  isMarked: true,
  pattern: shape(String.raw`^(?<before>)${specialWord}[ ._-]*(?<first>\d{1,3})(?:v\d)?${end}`),
};

type ShapedNumber = Numbered & {
  isMarked: boolean;
  /** The number at the beginning can belong to the title: `7 Seeds 05`. */
  isOpen: boolean;
};

/** `7 Seeds`, `07-Ghost`, but not `05 - Home`, `05 Area` of `05 Area 51`, and `12 Jazz Part` of `12 Jazz Part 1`. */
const wordAfterNumber = /^(?:(?!0)\d{1,4}[\s-]?|\d{1,4}-)\p{L}(?!.*\b(?:part|pt|vol)$)/iu;

/** `isBare`: the title is not in this text, but in a folder or in brackets. */
export function readNumbers(text: string, isBare: boolean): ShapedNumber[] {
  const shaped = shapes.flatMap((one) => read(text, one));
  const isOpen = shaped.some(({ first, title }) => first !== null && wordAfterNumber.test(title));
  const numbers = isBare
    ? [...read(text, bare).map((one) => ({ ...one, isOpen })), ...read(text, bareSpecial), ...shaped]
    : shaped;
  // If one number is marked, an unmarked number is part of the title: `86 - Show - 05`.
  const isAfterAll = numbers.some(({ isMarked, title }) => isMarked && /\d/.test(title));
  const likely = isAfterAll ? numbers.filter(({ isMarked }) => isMarked) : numbers;
  // A name that consists only of a number contains no title, so it is not also read as a film without a number.
  if (isBare && likely.length > 0 && !/\p{L}/u.test(text)) return likely;
  const whole = { ...withoutNumber(text), isMarked: false, isOpen: false };
  return [...likely.filter((one) => !isLikelyYear(one)), whole, ...likely.filter(isLikelyYear)];
}

/** `Holiday in Lisbon 2019`. */
const isLikelyYear = ({ first, isMarked }: ShapedNumber) => !isMarked && first !== null && canBeYear(first);

export const canBeYear = (number: number): boolean => number >= 1920 && number < 2040;

export const withoutNumber = (title: string): Numbered => ({
  title,
  season: null,
  first: null,
  last: null,
  special: null,
  isOther: false,
  half: null,
});

function read(
  text: string,
  { pattern, isOther: isOtherKind = false, isMarked = false }: Shape,
): ShapedNumber[] {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return [];
  const { before = "", after, first, join = "", last, half, season, special = null } = groups;
  const isOther = isOtherKind || half !== undefined;
  const from = first === undefined || isOther ? null : Number(first);
  const to = last === undefined || from === null ? from : Number(last);
  if (to !== null && from !== null && !isRange({ first, join, last }, to - from)) return [];
  const numbers = {
    season: season === undefined ? null : Number(season),
    first: from,
    last: to,
    special,
    isOther,
    half: half?.startsWith(".") ? `${Number(first)}${half}` : null,
    isMarked,
    isOpen: false,
  };
  // After a leading number, the title usually comes before the episode's name.
  const titles = tidy(before) || after === undefined ? [before] : [after.split(/\s+-\s+/)[0] ?? "", after];
  return titles.map((title) => ({ title: tidy(title), ...numbers }));
}

/** Numbers that are further apart are not read as a range of episodes. */
export const maxEpisodesOfFilm = 26;

/** `Show 3 - 01`, `Show 2 - 06` and `Show 11 - 12` are not ranges. `Show - 11 - 12` is one. */
function isRange(
  text: { first?: string | undefined; join: string; last?: string | undefined },
  length: number,
) {
  if (length < 0 || length >= maxEpisodesOfFilm) return false;
  const isWide = text.last !== undefined && /\s/.test(text.join) && text.join.includes("-");
  return !isWide || (text.first?.startsWith("0") === true && text.first.length === text.last?.length);
}

/** Numbers alone in brackets: `[11]`, `(01-04)`, `[20 of 25]`, `[Ep.24]`, `[24(END)]`, `[SP01]`, `[07.5]`. */
const group = new RegExp(
  String.raw`^(?:(?:ep?\.?\s*)?|${specialWord}[ ._-]*)${number}(?:[ _]?v\d)?(?:${range}|\s+of\s+\d+)(?:\s*\(?(?:end|fin|final|完)\)?)?$`,
  "iu",
);

export function readGroup(
  groups: readonly string[],
): Pick<Numbered, "first" | "last" | "special" | "isOther" | "half"> | null {
  for (const one of groups) {
    const match = group.exec(one)?.groups;
    if (!match?.first) continue;
    const { half, special = null } = match;
    const isOther = half !== undefined;
    const first = isOther ? null : Number(match.first);
    const last = first === null ? null : Math.max(first, Number(match.last ?? first));
    return {
      first,
      last,
      special,
      isOther,
      half: half?.startsWith(".") ? `${Number(match.first)}${half}` : null,
    };
  }
  return null;
}
