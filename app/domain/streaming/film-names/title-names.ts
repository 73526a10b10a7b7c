import type { FilmReading } from "./film-name.ts";
import { tidy } from "./name-parts.ts";
import { seasonNames } from "./season-words.ts";

/** The names under which a catalog may hold what a file name calls a title. */

export type TitleName = {
  name: string;
  /** The type that the file name gives: `Show OVA`. */
  type: string | null;
  /** False: the file name says more, which can make it another title. */
  isWhole: boolean;
  /** False: a later season is told by the number alone. */
  hasSeason: boolean;
};

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

export function namesOf({ title, season, special }: FilmReading): TitleName[] {
  const plain = { name: title, type: special && typeOf(special), isWhole: true };
  const variants: Omit<TitleName, "hasSeason">[] = [plain];
  const ending = typeAtEnd.exec(title)?.groups ?? typeWithin.exec(title)?.groups;
  if (ending?.type) {
    const bare = ending.title ?? title.replace(typeWithin, "");
    variants.push({ name: tidy(bare), type: typeOf(ending.type), isWhole: true });
  }
  const parts = title.split(/\s+[-‒–—~]\s*|\s*:\s+/);
  for (const part of parts.length > 1 ? [parts[0] ?? "", parts.at(-1) ?? ""] : [])
    variants.push({ name: tidy(part), type: null, isWhole: false });
  return variants.flatMap((variant) => [
    ...(season !== null && season > 1
      ? seasonNames(variant.name, season).map((name) => ({ ...variant, name, hasSeason: true }))
      : []),
    { ...variant, hasSeason: season === null || season === 1 },
  ]);
}
