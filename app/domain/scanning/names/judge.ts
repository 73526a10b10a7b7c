import type { NamedTitle } from "#app/domain/catalog/catalog.server.ts";
import { countText } from "#app/platform/count-text.ts";
import { continueNumber } from "./continued-numbers.ts";
import type { FilmReading } from "./film-name.ts";
import { splitSeason } from "./season-words.ts";
import type { TitleName } from "./title-names.ts";

/** Scores how well a title from the catalog fits a file name. */

export type TitleCandidate = {
  found: NamedTitle;
  /** The title with the film's name, if the numbering of its episodes continues in `found`. */
  base?: NamedTitle;
  reading: FilmReading;
  /** The film's reading with its original number, before it was counted from the first episode of `found`. */
  asRead?: FilmReading;
  /** How many readings of the file name are more likely than this one. */
  rank: number;
  name: TitleName;
};

export type Judgement = TitleCandidate & { points: number; doubts: readonly string[] };

export type NumberRange = { lowest: number; highest: number };

/** Other facts about a film: the year from its folder or name, and the numbers of the films beside it. */
export type FolderFacts = {
  year: number | null;
  /** The episode numbers in the folder among films with the same title and the same kind of reading. */
  numbersOf: (reading: FilmReading) => NumberRange | null;
};

const doubtPoints = 40;

export function judge(candidate: TitleCandidate, known: FolderFacts): Judgement {
  const { found, rank, name, reading } = candidate;
  const year = reading.year ?? known.year;
  const doubts = doubtsOf(candidate, known);
  const points =
    -5 * rank -
    doubtPoints * doubts.length +
    (spelling(found.alias) === spelling(name.name) ? 6 : 0) +
    (found.kind === "synonym" ? -4 : 0) +
    (name.type !== null && name.type === found.type ? 5 : 0) +
    (year !== null && (candidate.base ?? found).year === year ? 6 : 0) +
    Math.log10(1 + (found.members ?? 0));
  return { ...candidate, points, doubts };
}

/** File names cannot contain a colon, so they have a dash in its place. */
const spelling = (name: string) => name.toLowerCase().replace(/\s*(?::|\s-)\s+/g, " ");

/** A file with more episodes is registered only by an operator, because it may be a whole collection. */
const maxSureEpisodes = 6;

export const isOfOneFilm = (found: NamedTitle) => found.type === "Movie" || found.episodes === 1;

/**
 * The doubts about a candidate besides its name. Sites differ by a year about some titles, but films with actors often
 * come a year before or after the anime of the same name, so only the exact year is sure.
 */
function doubtsOf({ found, base = found, reading, name }: TitleCandidate, known: FolderFacts): string[] {
  const { first, last, season, part, special, isOther, isShort } = reading;
  const isLater = season !== null && season > 1;
  const year = reading.year ?? known.year;
  // Other films of the folder count from the first title on, so their numbers say nothing about a title that continues
  // it.
  const highest = base === found ? (known.numbersOf(reading)?.highest ?? null) : null;
  const rules: [boolean, string][] = [
    [!name.isWhole || isShort, "the file name says more than the title's name"],
    [!name.hasSeason, "no title of the catalog is named as this season"],
    [
      part === 1 && first === null && splitSeason(name.name).part === null,
      "it is part 1, and the title has no parts",
    ],
    [hasOtherMarks(name.name, found.alias), `the name of the title ends in other marks: ${found.alias}`],
    [season === 0, "it is among the specials"],
    [isOther, "it is no whole episode"],
    [first === 0, "it is episode 0"],
    [first !== null && last !== null && last - first >= maxSureEpisodes, "it is many episodes in one file"],
    [
      first === null && !isOther && !isOfOneFilm(found),
      "it has no number, and the title has several episodes",
    ],
    [
      last !== null && found.episodes !== null && last > found.episodes,
      `the title has ${countText(found.episodes ?? 0, "episode")}`,
    ],
    [
      highest !== null && last !== null && isBeyond(found, highest) && last <= (found.episodes ?? last),
      `its folder goes up to ${highest}, and the title has ${countText(found.episodes ?? 0, "episode")}`,
    ],
    [!isLater && year !== null && base.year !== null && base.year !== year, `it is of ${base.year}`],
    [isLater && year !== null && found.year !== null && year > found.year + 1, `it is of ${found.year}`],
    [last !== null && last > mostUntilNow(found), "it cannot have that many episodes yet"],
    [
      name.type !== null && found.type !== null && !isSameType(name.type, found.type),
      special === null
        ? `it is of the type ${found.type}`
        : `it is a special, and the title is of the type ${found.type}`,
    ],
    [
      special !== null && first !== null && found.kind !== "title" && found.episodes === 1,
      "the title may be another one of the specials",
    ],
  ];
  return rules.filter(([isDoubt]) => isDoubt).map(([, text]) => text);
}

const mostEpisodesInYear = 60;

/**
 * The most episodes that a title can have by now. While a title airs, the catalog may not know its number of episodes.
 */
const mostUntilNow = ({ episodes, year }: NamedTitle) =>
  episodes === null && year !== null
    ? Math.max(1, new Date().getFullYear() - year + 1) * mostEpisodesInYear
    : Number.POSITIVE_INFINITY;

/** True if the number is past the title's last episode and no other title continues its numbering. */
const isBeyond = ({ malId, episodes }: NamedTitle, number: number) =>
  episodes !== null && number > episodes && continueNumber(malId, number) === null;

/**
 * Some sequels differ only by their final marks: `Show!!`, `Show'`, `Show°`, `Show.`. File names often drop marks but
 * never add them.
 */
const hasOtherMarks = (name: string, alias: string) => !["", marksOf(alias)].includes(marksOf(name));
const marksOf = (name: string) => /[!?°'’△♪☆★♥♡.:]*$/u.exec(name.trim().replace(/。$/, "."))?.[0] ?? "";

/** Catalogs also list an OVA as a special, and a television special as a separate type. */
const isSameType = (named: string, found: string) =>
  named === found ||
  (named === "OVA" && found === "Special") ||
  (named === "Special" && found === "TV Special");

/** The candidate with the most points, and another title with the same name, if there is one. */
export function best(judged: readonly Judgement[]): { chosen: Judgement; rival: Judgement | null } | null {
  const sorted = [...judged].sort((one, other) => other.points - one.points);
  const [chosen] = sorted;
  if (!chosen) return null;
  const rival =
    sorted.find(
      (one) =>
        one.found.malId !== chosen.found.malId &&
        one.rank === chosen.rank &&
        one.doubts.length === 0 &&
        (one.found.kind !== "synonym" || chosen.found.kind === "synonym") &&
        one.name.type === chosen.name.type &&
        chosen.points - one.points < 4 &&
        !isLaterSeason(one, chosen),
    ) ?? null;
  return { chosen, rival };
}

/** `Show S01E05` is not of `Show!!` if `Show!` is older: the marks number the seasons. */
const isLaterSeason = ({ found }: Judgement, { found: chosen, reading }: Judgement) =>
  reading.season === 1 &&
  found.type === chosen.type &&
  marksOf(found.alias) !== marksOf(chosen.alias) &&
  (found.year ?? 0) > (chosen.year ?? Number.POSITIVE_INFINITY);
