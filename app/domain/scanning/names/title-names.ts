import type { FilmReading } from "./film-name.ts";
import { hasLetter } from "./name-parts.ts";
import { partNames, seasonNames, tidy } from "./season-words.ts";

/** The names under which a catalog may list a title that a file name mentions. */

export type TitleName = {
  name: string;
  /** The type that the file name gives: `Show OVA`. */
  type: string | null;
  /** False if the file name has more text, which can make it another title. */
  isWhole: boolean;
  /** False if only the number shows that this is a later season or part. */
  hasSeason: boolean;
};

type Variant = Omit<TitleName, "hasSeason">;

const typeAtEnd = /^(?<title>.+?)[\s-]+(?<type>TV|OVA|OAD|ONA|Movie|Specials?)$/i;
const typeWithin = /\s+(?<type>TV|OVA)(?=\s)/;
const types: Readonly<Record<string, string>> = {
  oad: "OVA",
  tv: "TV",
  ova: "OVA",
  ona: "ONA",
  movie: "Movie",
};
const typeOf = (word: string) => types[word.toLowerCase()] ?? "Special";
/** Edition names, which stand between dashes. */
const edition =
  /^(?:platinum|renewal|remaster(?:ed)?|director'?s cut|(?:perfect|complete) (?:collection|edition))$/i;

/** `year` comes from the file or folder. A catalog can have it in the title's name: `Show (2019)`. */
export function namesOf(reading: FilmReading, year: number | null): TitleName[] {
  const { season, part } = reading;
  // Season 0 has the specials of the series.
  const isFirst = (season === null || season <= 1) && (part === null || part === 1);
  return variantsOf(reading, reading.year ?? year).flatMap((variant) => {
    const seasons = season !== null && season > 1 ? seasonNames(variant.name, season) : [variant.name];
    const fullNames = [
      ...(part === null ? [] : seasons.flatMap((name) => partNames(name, part))),
      ...(part === null || part === 1 ? seasons : []),
    ];
    return [
      ...fullNames
        .filter((name) => name !== variant.name)
        .map((name) => ({ ...variant, name, hasSeason: true })),
      { ...variant, hasSeason: isFirst },
    ];
  });
}

function variantsOf({ title, special }: FilmReading, year: number | null): Variant[] {
  const plain = { name: title, type: special && typeOf(special), isWhole: true };
  const variants: Variant[] = [plain];
  if (year !== null)
    for (const mark of [`(${year})`, "(TV)", "1st Season"])
      variants.push({ ...plain, name: `${title} ${mark}` });
  if (special !== null)
    for (const word of specialWords[typeOf(special)] ?? [])
      variants.push({ name: `${title} ${word}`, type: typeOf(special), isWhole: true });
  const ending = typeAtEnd.exec(title)?.groups ?? typeWithin.exec(title)?.groups;
  if (ending?.type) {
    const bare = tidy(ending.title ?? title.replace(typeWithin, ""));
    const type = typeOf(ending.type);
    variants.push({ name: bare, type, isWhole: true });
    if (type === "Movie") variants.push({ name: `${bare} The Movie`, type, isWhole: true });
  }
  const parts = title.split(/\s+[-‒–—~]\s*|\s*:\s+/);
  const titleParts = parts.filter((part) => !edition.test(part));
  if (titleParts.length > 0 && titleParts.length < parts.length)
    variants.push({ name: titleParts.join(" "), type: null, isWhole: true });
  for (const part of twoNamesIn(title)) variants.push({ name: part, type: null, isWhole: false });
  for (const part of parts.length > 1 ? [parts[0] ?? "", parts.at(-1) ?? ""] : [])
    if (hasLetter.test(part)) variants.push({ name: tidy(part), type: null, isWhole: false });
  return variants;
}

const eastern = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const namesInTwoScripts = [
  new RegExp(
    String.raw`^(?<one>.*[${eastern}][^\p{Script=Latin}]*?)[\s/|]*(?<other>\p{Script=Latin}[^${eastern}]*)$`,
    "u",
  ),
  new RegExp(
    String.raw`^(?<one>[^${eastern}]*\p{Script=Latin}[^${eastern}]*?)[\s/|]*(?<other>[${eastern}].*)$`,
    "u",
  ),
];

/** Two names of one title, such as `間諜 / Spy` and `間諜 Spy`. */
function twoNamesIn(title: string): string[] {
  const bySign = title.split(/\s[|/]\s/);
  const byScript = namesInTwoScripts.flatMap((pattern) => Object.values(pattern.exec(title)?.groups ?? {}));
  return (bySign.length > 1 ? bySign : byScript).map(tidy).filter((part) => hasLetter.test(part));
}

const specialWords: Readonly<Record<string, string[]>> = {
  Special: ["Specials", "Special"],
  OVA: ["OVA", "OAD"],
  ONA: ["ONA"],
};
