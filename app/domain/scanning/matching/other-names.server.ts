import { firstOfEach } from "#app/platform/lists.ts";
import type { Judgement, TitleCandidate } from "../names/judge.ts";
import { type HeldIn, heldIn, isSameName } from "../names/name-spelling.server.ts";
import { seasonNames } from "../names/season-words.ts";
import { namesOf } from "../names/title-names.ts";
import type { CatalogLookups, FilmQuery } from "./catalog-lookups.server.ts";
import { placeAndJudge, withoutByNames } from "./placed-candidates.server.ts";

/** Finds titles that the catalog lists under a different name than the file has. */

const maxNames = 16;

/** A catalog can have `Show` in one language and its second season only in another. */
export async function findByOtherNames(query: FilmQuery, named: readonly Judgement[]): Promise<Judgement[]> {
  const { catalog } = query;
  const bases = named.filter(({ name, reading }) => name.isWhole && !name.hasSeason && reading.part === null);
  const judgements = await Promise.all(
    bases.slice(0, maxNames).map(async ({ found: base, reading, rank, name }) => {
      const { season } = reading;
      if (season === null) return [];
      const names = (await catalog.namesOf(base.malId))
        .filter((one) => !initials.test(one))
        .flatMap((one) => seasonNames(one, season));
      const titles = (await catalog.named(names)).flat();
      return Promise.all(
        titles
          .filter(({ malId }) => malId !== base.malId)
          .map((found) => {
            const fullName = { ...name, name: found.alias, hasSeason: true };
            return placeAndJudge({ found, reading, rank, name: fullName }, query);
          }),
      );
    }),
  );
  return judgements.flat();
}

/** In `SnK 2`, people number story arcs. Other sites may list the arc in another season. */
const initials = /^[a-z]{1,4}$/i;

const maxWordsOfTwoNames = 12;

/** `Shingeki no Kyojin Attack on Titan`: two names of one title, one after the other. */
export async function findByTwoNames(query: FilmQuery): Promise<Judgement[]> {
  for (const one of distinctNames(query).slice(0, maxNames)) {
    const words = one.name.name
      .split(/[\s/|]+|(?<=[^\p{ASCII}])(?=\p{ASCII})|(?<=\p{ASCII})(?=[^\p{ASCII}])/u)
      .filter(Boolean);
    if (words.length < 2 || words.length > maxWordsOfTwoNames) continue;
    const halves = words
      .slice(1)
      .flatMap((_, index) => [words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" ")]);
    const titlesByName = await query.catalog.named(halves);
    for (let at = 0; at < halves.length; at += 2) {
      const [first, second] = [at, at + 1].map((half) =>
        withoutByNames({ ...one.name, name: halves[half] ?? "" }, titlesByName[half] ?? []),
      );
      const both = (first ?? []).filter(({ malId }) => second?.some((other) => other.malId === malId));
      const ids = new Set(both.map(({ malId }) => malId));
      const [title] = both;
      if (title && ids.size === 1) return [await placeAndJudge({ ...one, found: title }, query)];
    }
  }
  return [];
}

/** The distinct names of all readings, including season names for readings with a season. */
function distinctNames({ readings, known }: FilmQuery): Omit<TitleCandidate, "found">[] {
  const all = readings.flatMap((reading, rank) =>
    namesOf(reading, known.year)
      .filter(({ isWhole, hasSeason }) => isWhole && hasSeason)
      .map((name) => ({ reading, rank, name })),
  );
  return firstOfEach(all, ({ name, reading }) => JSON.stringify([name.name, reading.first]));
}

export async function findOtherSpelling(query: FilmQuery): Promise<Judgement[]> {
  const { catalog } = query;
  const judgements = await Promise.all(
    distinctNames(query)
      .slice(0, maxNames)
      .map(async (one) => {
        const similar = await catalog.similar(one.name.name);
        const names = await Promise.all(similar.map(({ malId }) => catalog.namesOf(malId)));
        return Promise.all(
          similar.flatMap((title, index) => {
            const alias = [title.alias, ...(names[index] ?? [])].find((name) =>
              isSameName(one.name.name, name),
            );
            return alias === undefined ? [] : [placeAndJudge({ ...one, found: { ...title, alias } }, query)];
          }),
        );
      }),
  );
  return judgements.flat();
}

/**
 * Finds a title whose longer name contains the film's name. Counts only if exactly one title fits. A later season must
 * also have no title with just this name: `Show 2 - 24` is not of `Show 2 Recaps` because `Show 2` has 23 episodes.
 */
export async function findHolding(query: FilmQuery, named: readonly Judgement[]): Promise<Judgement[]> {
  if (named.some(({ name, reading }) => name.isWhole && name.hasSeason && (reading.season ?? 1) > 1))
    return [];
  for (const { name, ...one } of distinctNames(query).slice(0, maxNames)) {
    const whole = name.name;
    for (const part of [whole, ...partsOf(whole)]) {
      const holder = await findOnlyHolder({ ...one, name: { ...name, name: part } }, whole, query);
      if (holder) return [holder];
    }
  }
  return [];
}

/** Returns `Its Subtitle` for `Show - Its Subtitle`, and `Show Movie 2` for `Show Movie 2 Its Subtitle`. */
function partsOf(name: string): string[] {
  const subtitle = name
    .split(/\s+[-‒–—~]\s+/)
    .slice(1)
    .at(-1);
  const movie = /^.+?\smovie\s+\d{1,2}(?=\s)/i.exec(name)?.[0];
  return [subtitle, movie].filter((part) => part !== undefined);
}

async function findOnlyHolder(one: Omit<TitleCandidate, "found">, whole: string, query: FilmQuery) {
  const { known, catalog } = query;
  const { name } = one.name;
  const held = await Promise.all(
    ((await catalog.holding(name)) ?? []).map(async (found) => ({
      judged: await placeAndJudge({ ...one, found }, query),
      how: heldIn(name, found.alias),
    })),
  );
  const fitting = await withoutSideStories(
    held.filter(({ how, judged }) => how !== null && judged.doubts.length === 0),
    catalog,
  );
  const titles = new Set(fitting.map(({ judged }) => judged.found.malId));
  if (titles.size !== 1) return null;
  const isLarge = await catalog.isLarge();
  return fitting.find(({ how, judged }) => isClear(how, judged, { whole, isLarge, year: known.year }))
    ?.judged;
}

type Holder = { judged: Judgement; how: HeldIn | null };

/** For `Show R2`, the title `Show: The Long Name R2 Picture Drama` is no rival of `Show: The Long Name R2`. */
async function withoutSideStories(held: readonly Holder[], catalog: CatalogLookups): Promise<Holder[]> {
  const main = held.filter(({ how }) => how === "both ends");
  const names = (await Promise.all(main.map(({ judged }) => catalog.namesOf(judged.found.malId)))).flat();
  return held.filter(
    (one) =>
      main.includes(one) || !names.some((name) => heldIn(name, one.judged.found.alias) === "beginning"),
  );
}

const minBeginningWords = 4;
const firstWord = (text: string) => text.toLowerCase().split(/[\s:,-]+/)[0];

function isClear(
  how: HeldIn | null,
  { found, name, reading }: Judgement,
  { whole, isLarge, year }: { whole: string; isLarge: boolean; year: number | null },
): boolean {
  const isWhole = name.name === whole;
  switch (how) {
    case "movie":
      return found.type === "Movie" && found.year === (reading.year ?? year);
    case "both ends":
      // Words between a name and the number of a season are those of another series: `Show: Its Spin-off Season 2`.
      return (reading.season ?? 1) < 2 && (isWhole || firstWord(whole) === firstWord(found.alias));
    case "end":
      return isWhole || firstWord(whole) === firstWord(found.alias);
    case "end of a sequel":
      return !isWhole && firstWord(whole) === firstWord(found.alias);
    case "beginning":
      // A small catalog may have only a sequel, whose name begins with that of the missing title.
      return isWhole && isLarge && name.name.split(/\s+/).length >= minBeginningWords;
    default:
      return false;
  }
}
