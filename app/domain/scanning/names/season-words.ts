import { tidy } from "./name-parts.ts";

/** Recognises seasons and parts in the names of files and folders. */

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth"];
const atEnd = new RegExp(
  String.raw`^(?<title>.*?)[\s-]*(?:\bseason\s*(?<long>\d{1,2})|\bS(?<short>\d{1,2})|(?<ordinal>\d{1,2})(?:st|nd|rd|th)\s+season|(?<word>${ordinals.join("|")})\s+season|第?\s*(?<kanji>\d{1,2})\s*期)(?<rest>\s+(?:OVA|OAD|ONA|Specials?))?$`,
  "iu",
);

type SeasonText = { title: string; season: number | null; part: number | null };

const partAtEnd =
  /^(?<title>.+?)[\s-]+(?:(?:part|cour)\s*(?<part>\d|I{1,3})|(?<ordinal>\d)(?:st|nd|rd|th)\s+(?:part|cour))$/iu;

/**
 * Splits `Show Season 2`, `Show S2`, `Show 2nd Season` and `Show 第2期`, each optionally followed by `Part 2` or
 * `2nd Cour`.
 */
export function splitSeason(text: string): SeasonText {
  const { title = text, part, ordinal } = partAtEnd.exec(text)?.groups ?? {};
  const split = splitPlainSeason(tidy(title));
  const number = part ?? ordinal;
  if (number === undefined) return { ...split, part: null };
  return { ...split, part: /\d/.test(number) ? Number(number) : number.length };
}

function splitPlainSeason(text: string): Omit<SeasonText, "part"> {
  const groups = atEnd.exec(text)?.groups;
  if (!groups) return { title: text, season: null };
  const { title = "", long, short, ordinal, word, kanji, rest = "" } = groups;
  const season = word ? ordinals.indexOf(word.toLowerCase()) + 1 : Number(long ?? short ?? ordinal ?? kanji);
  return { title: tidy(title + rest), season };
}

/** 0 for specials. Null if the folder is named after a title. */
export function seasonOfFolder(folder: string): number | null {
  const numbered = /^(?:season|series|staffel|temporada|s)\s*(\d{1,2})$/i.exec(folder)?.[1];
  if (numbered !== undefined) return Number(numbered);
  return /^(?:specials?|ovas?)$/i.test(folder) ? 0 : null;
}

/** Null if the folder name is not just a part of a season. */
export function partOfFolder(folder: string): number | null {
  const part = /^(?:part|cour)\s*(\d)$/i.exec(folder)?.[1];
  return part === undefined ? null : Number(part);
}

const romans = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII"];

/** How catalogs may name a season. They list each season as a separate title. */
export function seasonNames(title: string, season: number): string[] {
  const last = season % 10;
  const isTeen = Math.trunc(season / 10) % 10 === 1;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][last] ?? "th");
  return [
    `${title} Season ${season}`,
    `${title} ${season}${ending} Season`,
    `${title} ${season}`,
    ...(romans[season] ? [`${title} ${romans[season]}`] : []),
    ...(ordinals[season - 1] ? [`${title} ${ordinals[season - 1]} Season`] : []),
    `${title} S${season}`,
    `${title} 第${season}期`,
  ];
}

/** How catalogs may name a part of a season. */
export const partNames = (name: string, part: number): string[] => [
  `${name} Part ${part}`,
  `${name} Part ${romans[part]}`,
  `${name} Cour ${part}`,
  `${name} ${part}${["th", "st", "nd", "rd"][part] ?? "th"} Cour`,
];
