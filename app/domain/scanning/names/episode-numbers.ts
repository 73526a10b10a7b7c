import { tidy } from "./name-parts.ts";

/** Finds the number of the episode in a file name. One name can be read in several ways, and the catalog decides. */

export type Numbered = {
  /** The text before the number; behind it, where the name begins with the number. */
  title: string;
  season: number | null;
  /** Null: the name has no number, or one that is no episode of its own, as 7.5 is. */
  first: number | null;
  /** Of a film that holds several episodes; otherwise the same as `first`. */
  last: number | null;
  /** `SP 1`, `OVA 2`: a number of its own, and not one of the series. */
  special: string | null;
  /** The name says what it holds, but not as a whole number: `7.5`, `Vol. 3`. */
  isOther: boolean;
  /** The number of a half episode: `7.5`. */
  half: string | null;
};

const number = String.raw`(?<first>\d{1,4})(?<half>\.\d|[A-D](?![\p{L}\p{N}]))?(?:v\d)?`;
const range = String.raw`(?:(?<join>\s*[-+~&]\s*)(?:ep?\.?\s*)?(?<last>\d{1,4})(?:v\d)?)?`;
const end = String.raw`(?![\p{L}\p{N}]|\.\d)`;
const shape = (text: string) => new RegExp(text, "iu");

/** The most certain first. */
const shapes: readonly { pattern: RegExp; isOther?: true }[] = [
  {
    pattern: shape(
      String.raw`^(?<before>.*?)(?<![\p{L}\p{N}])s(?<season>\d{1,2})[ ._-]*e(?:p)?[ ._]?${number}(?:(?:-e?|e)(?<last>\d{1,4}))?${end}`,
    ),
  },
  {
    pattern: shape(
      String.raw`^(?<before>.*?)(?<![\p{L}\p{N}])(?<season>\d{1,2})x(?<first>\d{2,4})(?<half>\.\d)?${end}`,
    ),
  },
  {
    pattern: shape(
      String.raw`^(?<before>.*?)(?<![\p{L}\p{N}])(?:episode|folge|episodio|ep|e)[ ._-]*${number}${range}${end}`,
    ),
  },
  { pattern: shape(String.raw`^(?<before>.*?)第?\s*${number}\s*[話话集回]`) },
  { pattern: shape(String.raw`^(?<before>.*?)\s*#\s*${number}${range}${end}`) },
  {
    pattern: shape(
      String.raw`^(?<before>.+?)[\s-]+(?<special>sp|specials?|ova|oad|ona)[ ._-]*(?<first>\d{1,3})(?:v\d)?${end}`,
    ),
  },
  { pattern: shape(String.raw`^(?<before>.+?)\s*[-‒–—]\s+${number}${range}(?=\s|$)`) },
  { pattern: shape(String.raw`^(?<before>.+?)[ ._-]+vol(?:ume)?[ .]*\d`), isOther: true },
  {
    pattern: shape(
      String.raw`^(?<before>)(?<first>\d{1,4})(?<half>\.\d)?(?:v\d)?\s*[-.]\s+(?<after>.*\p{L}.*)$`,
    ),
  },
  {
    pattern: shape(
      String.raw`^(?<before>.*[\p{L}!?)].*?)\s+${number}${range}(?:\s+v\d|\s+end|\s+of\s+\d+)?$`,
    ),
  },
  { pattern: shape(String.raw`^(?<before>.+?-)(?<first>\d{2,4})(?<half>\.\d)?(?:v\d)?(?=\s)`) },
  { pattern: shape(String.raw`^(?<before>.+?)\s+[-‒–—]\s+(?:session|layer|chapter)\s+${number}${end}`) },
  {
    pattern: shape(String.raw`^(?<before>.*?\p{L}.*?)\s+(?<first>\d{2,3})(?<half>\.\d)?(?:v\d)?(?=\s+\p{L})`),
  },
];
/** A file that is only a number, in the folder of its title. */
const bare = shape(String.raw`^(?<before>)${number}${range}(?:\s*[-.]\s*.*|\s+\D.*)?$`);

export function readNumbers(text: string, hasFolder: boolean): Numbered[] {
  const found: Numbered[] = [];
  if (hasFolder) found.push(...read(text, bare, {}));
  for (const { pattern, ...kind } of shapes) found.push(...read(text, pattern, kind));
  return [...found, withoutNumber(text)];
}

export const withoutNumber = (title: string): Numbered => ({
  title,
  season: null,
  first: null,
  last: null,
  special: null,
  isOther: false,
  half: null,
});

function read(text: string, pattern: RegExp, kind: { isOther?: true }): Numbered[] {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return [];
  const { before = "", after, first, join = "", last, half, season, special = null } = groups;
  const isOther = kind.isOther === true || half !== undefined;
  const from = first === undefined || isOther ? null : Number(first);
  const to = last === undefined || from === null ? from : Number(last);
  if (to !== null && from !== null && !isRange({ first, join, last }, to - from)) return [];
  const found = {
    season: season === undefined ? null : Number(season),
    first: from,
    last: to,
    special,
    isOther,
    half: half?.startsWith(".") ? `${Number(first)}${half}` : null,
  };
  // Behind a number in front, the name of the title comes before that of the episode.
  const titles = tidy(before) || after === undefined ? [before] : [after.split(/\s+-\s+/)[0] ?? "", after];
  return titles.map((title) => ({ title: tidy(title), ...found }));
}

/** More episodes in one file are a whole collection. */
const maxEpisodesOfFilm = 26;

/** `Show 3 - 01` is no range, and neither is `Show 2 - 06`. */
function isRange(
  text: { first?: string | undefined; join: string; last?: string | undefined },
  length: number,
) {
  if (length < 0 || length >= maxEpisodesOfFilm) return false;
  const isWide = text.last !== undefined && /\s/.test(text.join) && text.join.includes("-");
  return !isWide || ((text.first?.length ?? 0) > 1 && text.first?.length === text.last?.length);
}

/** What stands alone in brackets: `[11]`, `(01-04)`, `[20 of 25]`, `[Ep.24]`. */
const group = new RegExp(String.raw`^(?:ep?\.?\s*)?${number}(?:${range}|\s+of\s+\d+)$`, "iu");

export function readGroup(groups: readonly string[]): Pick<Numbered, "first" | "last"> | null {
  for (const one of groups) {
    const found = group.exec(one)?.groups;
    if (!found || found.half !== undefined) continue;
    const first = Number(found.first);
    return { first, last: Math.max(first, Number(found.last ?? first)) };
  }
  return null;
}
