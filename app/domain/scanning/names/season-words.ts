/** Recognises seasons and parts in the names of files and folders. */

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth"];
const cardinals = ["one", "two", "three", "four", "five", "six"];
const kanji = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];

const season = String.raw`(?:(?:(?:season|series|staffel|saison|temporada|stagione|сезон)[\s.]*|s)(?<long>\d{1,2})|season\s+(?<cardinal>${cardinals.join("|")})|(?<ordinal>\d{1,2})(?:st|nd|rd|th)(?:\s+season)?|(?<word>${ordinals.join("|")})\s+season|第\s*(?<kanji>[一二三四五六七八九十])\s*[期季]|第?\s*(?<counted>\d{1,2})\s*[期季])`;
const part = String.raw`(?:(?:part|pt|cour)[\s.]*(?<part>\d|I{1,3})|(?<partOrdinal>\d)(?:st|nd|rd|th)\s+(?:part|cour)|第(?<partKanji>\d|[一二三四])(?:部分|クール))`;

/** A season, a part of one, or both, as a pattern without groups. */
export const seasonText = `(?:${season}(?:\\s+${part})?|${part})`.replace(/\(\?<\w+>/g, "(?:");

const seasonAtEnd = new RegExp(
  String.raw`^(?<title>.*?)(?:^|[\s-]+|(?=第|\d\s*[期季]))${season}(?<rest>\s+(?:OVA|OAD|ONA|Specials?))?$`,
  "iu",
);
const partAtEnd = new RegExp(String.raw`^(?<title>.+?)(?:[\s-]+|(?=第))${part}$`, "iu");

type SeasonText = { title: string; season: number | null; part: number | null };

/**
 * Splits `Show Season 2`, `Show S2`, `Show 2nd Season` and `Show 第2期`, each optionally followed by `Part 2` or
 * `2nd Cour`.
 */
export function splitSeason(text: string): SeasonText {
  const { title: before = text, part, partOrdinal, partKanji } = partAtEnd.exec(text)?.groups ?? {};
  const number = part ?? partOrdinal ?? partKanji;
  return {
    ...splitPlainSeason(tidy(before)),
    part: number === undefined ? null : (numberOf(number) ?? number.length),
  };
}

function splitPlainSeason(text: string): Omit<SeasonText, "part"> {
  const groups = seasonAtEnd.exec(text)?.groups;
  if (!groups) return { title: text, season: null };
  const { title = "", long, cardinal, ordinal, word, kanji: sign, counted, rest = "" } = groups;
  const numeral = long ?? ordinal ?? counted ?? sign ?? word ?? cardinal ?? "";
  return { title: tidy(title + rest), season: numberOf(numeral) };
}

/** Null for roman numbers. */
function numberOf(text: string): number | null {
  if (/\d/.test(text)) return Number(text);
  const lists = [kanji, ["", ...ordinals], ["", ...cardinals]];
  return lists.map((list) => list.indexOf(text.toLowerCase())).find((index) => index > 0) ?? null;
}

const number = /^(?<title>.*[\p{L}!?].*?)\s+(?<season>[2-9]|1\d|II|III|IV|V|VI|VII|VIII)$/u;

/** `Show 2` can be the title's name, or the second season of `Show`. Null if no number stands at the end. */
export function splitNumber(text: string): { title: string; season: number } | null {
  const { title = "", season = "" } = number.exec(text)?.groups ?? {};
  if (season === "") return null;
  return { title: tidy(title), season: /\d/.test(season) ? Number(season) : romans.indexOf(season) };
}

/** 0 for specials. Null if the folder is named after a title. */
export function seasonOfFolder(folder: string): number | null {
  const { title, season } = splitSeason(folder.replace(/\s*[([]\d{4}[)\]]$/, ""));
  if (title === "" && season !== null) return season;
  return /^(?:specials?|sps?|ovas?|oads?|season\s*0+)$/i.test(folder) ? 0 : null;
}

/** Null if the folder name is not just a part of a season. */
export function partOfFolder(folder: string): number | null {
  const { title, part } = splitSeason(`. ${folder}`);
  return title === "" ? part : null;
}

const romans = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII"];
const endings = ["th", "st", "nd", "rd"];

/** How catalogs may name a season. They list each season as a separate title. */
export function seasonNames(title: string, season: number): string[] {
  const isTeen = Math.trunc(season / 10) % 10 === 1;
  const ending = isTeen ? "th" : (endings[season % 10] ?? "th");
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
  `${name} ${part}${endings[part] ?? "th"} Cour`,
];

export const tidy = (text: string) =>
  text
    .replace(/\s+/g, " ")
    // A full stop after the last letter stays, because some sequels differ only by it.
    // Each character fits one alternative only, or a row of dots could be split in exponentially many ways.
    .replace(/^[\s._~–—-]+|(?:[\s_~–—-]|(?<!\p{L})\.|(?<=\p{L})\.(?=\.))+$/gu, "")
    .trim();
