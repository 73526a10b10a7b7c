import type { NamedTitle } from "#app/domain/catalog/catalog.server.ts";
import { continueNumber } from "../names/continued-numbers.ts";
import { isOfOneFilm, type Judgement, judge, type TitleCandidate } from "../names/judge.ts";
import { nameKey } from "../names/name-spelling.server.ts";
import type { TitleName } from "../names/title-names.ts";
import { type CatalogQuery, namesakeMark } from "./catalog-lookups.server.ts";

/** Finds the title that contains a film's number, among titles that share a name or continue each other's numbering. */

/**
 * Judges a candidate. If the number is beyond the candidate's last episode, judges the title that continues its
 * numbering.
 */
export async function placeAndJudge(
  candidate: TitleCandidate,
  { known, catalog }: CatalogQuery,
): Promise<Judgement> {
  const { found, reading } = candidate;
  const { first, last } = reading;
  if (first === null || last === null || (found.episodes !== null && first <= found.episodes))
    return judge(candidate, known);
  const [begin, end] = [continueNumber(found.malId, first), continueNumber(found.malId, last)];
  const title = begin && begin.malId === end?.malId ? await catalog.titleOf(begin.malId) : null;
  if (!begin || !end || !title) return judge(candidate, known);
  // The rules count a long special as two episodes, so the number can lie past the title's last one.
  if (end.number > (title.episodes ?? end.number)) return judge(candidate, known);
  const there = { ...title, alias: found.alias, kind: found.kind };
  const placed = { ...reading, first: begin.number, last: end.number };
  const judged = judge({ ...candidate, found: there, base: found, reading: placed, asRead: reading }, known);
  // The name says the season, so its numbers may also begin with 1. This number would then be that of a special.
  if (title.malId === found.malId && (reading.season ?? 1) > 1)
    return { ...judged, doubts: [...judged.doubts, countedFromFirstText(found)] };
  const between = first - begin.number - (found.episodes ?? 0);
  return title.type === "TV" && found.type === "TV" && between > 0 && between <= maxEpisodesBetween
    ? { ...judged, doubts: [...judged.doubts, betweenText(found, between)] }
    : judged;
}

export const countedFromFirstText = ({ title }: NamedTitle) =>
  `its number is beyond ${title}, and fits if it counts from the first season on`;

/** More episodes between two titles than these are those of another season. */
const maxEpisodesBetween = 3;

/** A rule may count a special between two seasons that the file names do not count. */
const betweenText = ({ title }: NamedTitle, between: number) =>
  `${between === 1 ? "a special" : `${between} specials`} may be counted between ${title} and this one`;

/**
 * Seasons of a franchise often share a Japanese name or a synonym. If the name is the main name of one of them, the
 * film belongs to that title.
 */
export function withoutByNames(
  { name, type }: TitleName,
  titles: readonly NamedTitle[],
): readonly NamedTitle[] {
  if (type !== null) return titles;
  const first = titles.filter((title) => isFirstName(name, title));
  return first.length > 0 ? first : titles;
}

const isFirstName = (name: string, { kind, title }: NamedTitle) =>
  kind === "title" || kind === "english" || nameKey(title.replace(namesakeMark, "")) === nameKey(name);

const firstYear = 1960;

/** True if the other title continues this title's numbering. */
export const continuesIn = ({ malId, episodes }: NamedTitle, other: number) =>
  [1, 2].some((more) => continueNumber(malId, (episodes ?? 0) + more)?.malId === other);

/**
 * Finds a title of the same name, apart from a year or mark, that has an episode of this number. The number of an
 * episode says nothing about the type of its title: `Show - 05` can be of the OVA or of `Show (TV)`.
 */
export async function findNamesake(
  { found, base = found, reading, name }: Judgement,
  { known, catalog }: CatalogQuery,
): Promise<NamedTitle | null> {
  if ((reading.year ?? known.year) !== null || name.type !== null) return null;
  if (reading.season !== null && reading.season > 1) return null;
  const years = Array.from(
    { length: new Date().getFullYear() + 1 - firstYear },
    (_, index) => firstYear + index,
  );
  const names = [
    name.name,
    `${name.name} (TV)`,
    `${name.name} 1st Season`,
    ...years.map((year) => `${name.name} (${year})`),
  ];
  const highest = Math.max(reading.last ?? 1, known.numbersOf(reading)?.highest ?? 1);
  const isNumbered = reading.first !== null;
  const titles = (await catalog.named(names)).flat();
  return (
    titles.find(
      (title) =>
        title.malId !== found.malId &&
        title.malId !== base.malId &&
        !continuesIn(base, title.malId) &&
        highest <= (title.episodes ?? highest) &&
        (isNamesake(title, base) || (isNumbered && isSeriesNamed(title, base))),
    ) ?? null
  );
}

const isNamesake = ({ type, kind, title }: NamedTitle, base: NamedTitle) =>
  type === base.type && kind !== "synonym" && namesakeMark.test(title);

/** Beside a title that is no series, a series counts too that has its name only as a synonym. */
const isSeriesNamed = (other: NamedTitle, base: NamedTitle) =>
  !isOfOneFilm(other) &&
  (namesakeMark.test(other.title) || (other.kind === "synonym" && other.type === "TV" && base.type !== "TV"));
