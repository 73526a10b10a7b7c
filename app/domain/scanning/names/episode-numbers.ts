import { tidy } from "./name-parts.ts";

/**
 * Finds the episode number in a file name. A name can have several readings; the catalog decides which one is right.
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

const number = String.raw`(?<first>\d{1,4})(?<half>\.\d|[A-D](?![\p{L}\p{N}]))?(?:v\d)?`;
const range = String.raw`(?:(?<join>\s*[-+~&]\s*)(?:ep?\.?\s*)?(?<last>\d{1,4})(?:v\d)?)?`;
const end = String.raw`(?![\p{L}\p{N}]|\.\d)`;
const shape = (text: string) => new RegExp(text, "iu");

/** The most reliable patterns come first. */
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
/** A file name that is only a number, in a folder named after the title. */
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
  // After a leading number, the title usually comes before the episode's name.
  const titles = tidy(before) || after === undefined ? [before] : [after.split(/\s+-\s+/)[0] ?? "", after];
  return titles.map((title) => ({ title: tidy(title), ...found }));
}

/** A file with more episodes is a whole collection. */
const maxEpisodesOfFilm = 26;

/** `Show 3 - 01` and `Show 2 - 06` are not ranges. */
function isRange(
  text: { first?: string | undefined; join: string; last?: string | undefined },
  length: number,
) {
  if (length < 0 || length >= maxEpisodesOfFilm) return false;
  const isWide = text.last !== undefined && /\s/.test(text.join) && text.join.includes("-");
  return !isWide || ((text.first?.length ?? 0) > 1 && text.first?.length === text.last?.length);
}

/** Numbers alone in brackets: `[11]`, `(01-04)`, `[20 of 25]`, `[Ep.24]`. */
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
