import type { IdentifiedTitle, NamedTitle } from "#app/domain/catalog/catalog.server.ts";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { firstOfEach } from "#app/platform/lists.ts";
import type { FilmName, FilmReading } from "../names/film-name.ts";
import { best, type FolderFacts, type Judgement, judge, type TitleCandidate } from "../names/judge.ts";
import { hasSequelWord, heldIn, nameNearness, sharedShare } from "../names/name-spelling.server.ts";
import { seasonNames, splitSeason } from "../names/season-words.ts";
import { namesOf, type TitleName } from "../names/title-names.ts";
import type { CatalogLookups, CatalogQuery, FilmQuery, Sequel } from "./catalog-lookups.server.ts";
import { type ById, idsText, judgeById } from "./match-by-ids.server.ts";
import { findByOtherNames, findByTwoNames, findHolding, findOtherSpelling } from "./other-names.server.ts";
import {
  continuesIn,
  countedFromFirstText,
  findNamesake,
  placeAndJudge,
  withoutByNames,
} from "./placed-candidates.server.ts";

/** Finds a film's title and episode by its name. The catalog decides which reading of the name is right. */

export type FilmMatch = {
  malId: number;
  title: string;
  reading: FilmReading;
  /** The reading before its number was counted from the first episode of the title. */
  asRead: FilmReading;
  isSure: boolean;
  /** Another file of the folder has a different number but would match the same episode. */
  isContradicted?: boolean;
  /** The reasons against this match, shown to the operator. */
  reasons: readonly string[];
};

const maxReadings = 12;

export async function matchFilm(
  name: FilmName,
  numbersOf: FolderFacts["numbersOf"],
  catalog: CatalogLookups,
): Promise<FilmMatch | null> {
  const known = { year: name.year, numbersOf };
  const query: FilmQuery = { readings: name.readings.slice(0, maxReadings), known, catalog };
  const named = await findNamed(query);
  const identified = name.ids.length === 0 ? [] : await catalog.withIds(name.ids);
  const byId = judgeById(identified, named, query.readings, known);
  const dated = await withYear(await matchByName(query, named), named, query);
  const byName = withoutSeasonsOfLongSeries(dated, named);
  return byId ? withId(byId, byName, { name, catalog }) : withoutId(byName, name, identified, named);
}

/** The match with one more reason against it. */
export const doubted = (match: FilmMatch, reason: string): FilmMatch => ({
  ...match,
  isSure: false,
  reasons: [...match.reasons, reason],
});

const nothingKnown: FolderFacts = { year: null, numbersOf: () => null };

/** The id wins, unless the name is a sure match for another title. */
async function withId(
  { judged, malIds }: ById,
  byName: FilmMatch | null,
  { name, catalog }: { name: FilmName; catalog: CatalogLookups },
): Promise<FilmMatch> {
  const match = await toMatch({ chosen: judged, rival: null }, { known: nothingKnown, catalog });
  const isOther = byName?.isSure && byName.malId !== match.malId && !malIds.has(byName.malId);
  if (!isOther) return match;
  const reason = `its id (${idsText(name.ids)}) is that of ${match.title}, and its name that of ${byName.title}`;
  return doubted(match, reason);
}

/** Handles ids that lead to no title for this film: they are unknown, or they fit several titles. */
function withoutId(
  match: FilmMatch | null,
  { ids }: FilmName,
  identified: readonly IdentifiedTitle[],
  named: readonly Judgement[],
): FilmMatch | null {
  if (!match || ids.length === 0) return match;
  // An id of another site may just be missing in this catalog. A missing MAL id means that the title itself is missing.
  const isMissing = identified.length === 0 && ids.some(({ site }) => site === "mal");
  const isOther =
    identified.length > 0 &&
    ![match, ...named.map(({ found }) => found)].some(({ malId }) =>
      identified.some((title) => title.malId === malId),
    );
  if (!isMissing && !isOther) return match;
  const reason = isMissing
    ? `the title with its id (${idsText(ids)}) is not in this catalog`
    : `its id (${idsText(ids)}) is that of ${identified[0]?.title}`;
  return doubted(match, reason);
}

async function matchByName(query: FilmQuery, named: readonly Judgement[]): Promise<FilmMatch | null> {
  const decided = best(named);
  if (decided && isDecided(decided.chosen)) return toMatch(decided, query);
  for (const find of [findByOtherNames, findByTwoNames, findOtherSpelling, findHolding]) {
    const judgement = best((await find(query, named)).filter(isDecided));
    if (judgement && judgement.chosen.doubts.length === 0) return toMatch(judgement, query);
  }
  // A later season has this name, but not this number.
  const ofSeason = best(named.filter((one) => isDecided(one) && (one.reading.season ?? 1) > 1));
  if (ofSeason) return toMatch(ofSeason, query);
  // Only the first words of the name match, and there is no other doubt.
  const partial = decided?.chosen.doubts.length === 1 ? decided.chosen : null;
  return guess(query, named, partial);
}

/**
 * The year of a later season is that of the season or of the series. Any other year can be that of another series of the
 * same name.
 */
async function withYear(
  match: FilmMatch | null,
  named: readonly Judgement[],
  { known, catalog }: CatalogQuery,
): Promise<FilmMatch | null> {
  const year = match?.asRead.year ?? known.year;
  if (!match?.isSure || year === null || (match.asRead.season ?? 1) < 2) return match;
  const title = await catalog.titleOf(match.malId);
  const years = [title, ...named.filter(({ name }) => name.isWhole).map(({ found }) => found)].map(
    (one) => one?.year ?? year,
  );
  if (!years.some((one) => Math.abs(one - year) <= 1))
    return doubted(match, `no season of this name is of ${year}`);
  const sequel = title && !years.includes(year) ? await catalog.sequelOf(title) : null;
  if (!sequel || (await catalog.titleOf(sequel.malId))?.year !== year) return match;
  return doubted(match, `${sequel.title} is of ${year}`);
}

const minLongSeries = 100;

/** Other sites divide a long series into seasons: there, episode 56 of 170 is S02E05. */
function withoutSeasonsOfLongSeries(match: FilmMatch | null, named: readonly Judgement[]): FilmMatch | null {
  if (!match?.isSure || (match.asRead.season ?? 1) < 2) return match;
  const long = named.find(
    ({ found, name, doubts }) =>
      name.isWhole && !name.hasSeason && doubts.length === 1 && (found.episodes ?? 0) >= minLongSeries,
  );
  if (!long) return match;
  const reason = `it may be a season of ${long.found.title}, which has ${long.found.episodes} episodes`;
  return doubted(match, reason);
}

/** The number in `Show Movie 09 - Its Subtitle` says which movie it is. It is no episode. */
const isDecided = ({ name, reading }: TitleCandidate) =>
  name.isWhole && name.hasSeason && !(reading.first !== null && /\smovie$/i.test(reading.title));

type Choice = NonNullable<ReturnType<typeof best>>;

async function toMatch({ chosen, rival }: Choice, input: CatalogQuery): Promise<FilmMatch> {
  const beyond = (await countedFromFirst(chosen, input)) ?? (await continuedInSequel(chosen, input.catalog));
  const { found: title, reading, doubts } = beyond ?? chosen;
  const other = rival?.found ?? (doubts.length > 0 ? null : await findNamesake(chosen, input));
  return {
    malId: title.malId,
    title: title.title,
    reading,
    asRead: chosen.asRead ?? chosen.reading,
    isSure: doubts.length === 0 && other === null,
    reasons: [...doubts, ...(other ? [`${other.title} has the same name`] : [])],
  };
}

async function findNamed(query: FilmQuery): Promise<Judgement[]> {
  const lookups = query.readings.flatMap((reading, rank) =>
    namesOf(reading, query.known.year).map((name) => ({ reading, rank, name })),
  );
  const titlesByName = await query.catalog.named(lookups.map(({ name }) => name.name));
  const candidates = lookups.flatMap((one, index) =>
    withoutByNames(one.name, titlesByName[index] ?? []).map((title) => ({ ...one, found: title })),
  );
  return Promise.all(candidates.map((one) => placeAndJudge(one, query)));
}

const maxSequels = 20;

/** How many episodes the titles before this one have. Null if the number of one of them is not known. */
async function episodesBefore(title: Sequel, catalog: CatalogLookups): Promise<number | null> {
  let before = 0;
  let prequel = await catalog.prequelOf(title);
  for (let prequels = 1; prequel?.episodes && prequels < maxSequels; prequels++) {
    before += prequel.episodes;
    prequel = await catalog.prequelOf(prequel);
  }
  return prequel ? null : before;
}

/**
 * The episode of a later season if its number counts from the first season on: `Show 3rd Season - 26`. An operator has
 * to confirm the match.
 */
async function countedFromFirst(
  chosen: Judgement,
  { known, catalog }: CatalogQuery,
): Promise<Judgement | null> {
  const { found, base = found, reading, doubts } = chosen;
  const { season, part, first, last } = reading;
  if (season === null || season < 2 || part !== null || first === null || last === null) return null;
  const inFolder = known.numbersOf(reading);
  const { lowest, highest } = inFolder ?? { lowest: first, highest: last };
  if (base !== found || lowest === 1 || found.episodes === null) return null;
  const before = await episodesBefore(found, catalog);
  const next = await catalog.sequelOf(found);
  const goesOn = next !== null && splitSeason(next.title).part !== null;
  if (!before || lowest <= before || goesOn) return null;
  if (highest > found.episodes && last - before <= found.episodes)
    return {
      ...chosen,
      reading: { ...reading, first: first - before, last: last - before },
      doubts: [countedFromFirstText(found)],
    };
  const isFirstOfSeason = highest <= found.episodes && inFolder?.lowest === before + 1;
  return isFirstOfSeason
    ? {
        ...chosen,
        doubts: [
          ...doubts,
          `the seasons before have ${before} episodes, so its number may count from the first season on`,
        ],
      }
    : null;
}

/**
 * The sequel that contains this number if episodes are counted across all sequels. An operator has to confirm the
 * match.
 */
async function continuedInSequel(chosen: Judgement, catalog: CatalogLookups): Promise<Judgement | null> {
  const { found, reading } = chosen;
  const { first, last } = reading;
  if (first === null || last === null) return null;
  let title: Sequel = found;
  let before = 0;
  for (let sequels = 0; title.episodes !== null && first > before + title.episodes; sequels++) {
    before += title.episodes;
    const next =
      sequels < maxSequels
        ? ((await catalog.sequelOf(title)) ??
          (await laterByName({ ...found, ...title, alias: title.title }, catalog))[0])
        : null;
    if (!next) return null;
    title = next;
  }
  if (title === found || last - before > (title.episodes ?? last)) return null;
  return {
    ...chosen,
    found: { ...found, ...title },
    reading: { ...reading, first: first - before, last: last - before },
    doubts: [`its number is beyond ${found.title}, and goes on here if the numbers do`],
  };
}

/** The title that follows the named title by this many sequels. An operator has to confirm the match. */
async function seasonInSequels(named: readonly Judgement[], query: CatalogQuery) {
  const { known, catalog } = query;
  // The number says nothing about the base title, since it counts in a later one.
  const bases = named
    .filter(({ name, reading }) => name.isWhole && !name.hasSeason && reading.first !== null)
    .map((one) => ({
      ...judge(
        { ...one, reading: { ...one.reading, first: 1, last: 1 } },
        { ...known, numbersOf: () => null },
      ),
      reading: one.reading,
    }));
  const base = best(bases.filter(({ doubts }) => doubts.length === 1));
  const season = base?.chosen.reading.season ?? 0;
  if (!base || season < 2) return null;
  let title: Sequel | null = (await laterByName(base.chosen.found, catalog))[season - 2] ?? null;
  if (title === null) {
    title = base.chosen.found;
    for (let before = 1; title !== null && before < Math.min(season, maxSequels); before++)
      title = await catalog.sequelOf(title);
  }
  const sequel = title && (await catalog.titleOf(title.malId));
  if (!sequel) return null;
  const { points: _, doubts, ...candidate } = base.chosen;
  const name = { ...candidate.name, hasSeason: true };
  const found = { ...candidate.found, ...sequel };
  const placed = await placeAndJudge({ ...candidate, name, found }, query);
  const counted = await countedFromFirst(placed, query);
  if (counted) return asGuess(counted, [...doubts, ...counted.doubts]);
  return placed.doubts.length > 0 ? null : asGuess(placed, doubts);
}

/** Later titles of the same type whose names begin with this title's name, without second parts of a season. */
async function laterByName(base: NamedTitle, catalog: CatalogLookups): Promise<NamedTitle[]> {
  const holding = (await catalog.holding(base.alias)) ?? [];
  const named = holding.filter(
    ({ malId, type, year, alias }) =>
      malId !== base.malId &&
      type === base.type &&
      year !== null &&
      heldIn(base.alias, alias) === "beginning" &&
      year >= (base.year ?? year),
  );
  const later = firstOfEach(named, ({ malId }) => malId).sort(
    (one, other) => (one.year ?? 0) - (other.year ?? 0) || one.malId - other.malId,
  );
  return later.filter(
    (one) =>
      isNamedAsSeason(one) ||
      ![base, ...later].some((before) => before !== one && continuesIn(before, one.malId)),
  );
}

/** `Show 2nd Season` is a season, also if its numbers continue those of the first. `Show 2nd Season Part 2` is none. */
function isNamedAsSeason({ title }: NamedTitle): boolean {
  const { season, part } = splitSeason(title);
  return season !== null && part === null;
}

type Guess = { found: Pick<NamedTitle, "malId" | "title">; reading: FilmReading; asRead?: FilmReading };

export const asGuess = (
  { found: { malId, title }, reading, asRead = reading }: Guess,
  reasons: readonly string[],
): FilmMatch => ({ malId, title, reading, asRead, isSure: false, reasons });

/** The most likely title with a similar or a longer name. An operator has to confirm the match. */
async function guess(
  query: FilmQuery,
  named: readonly Judgement[],
  partial: Judgement | null,
): Promise<FilmMatch | null> {
  const { readings } = query;
  const season = await seasonInSequels(named, query);
  if (season) return season;
  const likely = readings.find(({ first, isOther }) => first !== null || isOther) ?? readings[0];
  if (!likely) return null;
  const isLater = likely.season !== null && likely.season > 1;
  const names = isLater ? seasonNames(likely.title, likely.season ?? 1).slice(0, 2) : [];
  const similarTitles: Similar[] = [];
  const titles = readings.map(({ title }) => title);
  for (const name of [...names, ...titles, likely.title.replace(/\d[\d.]*/g, "")])
    similarTitles.push(
      ...(await findSimilar(query, likely, { name, hasSeason: names.includes(name) || !isLater })),
    );
  const [similar] = similarTitles.sort(byLikelihood);
  if (similar && similar.nearness >= minNearness) return similar.match;
  const holder = isLater ? await findSeasonHolder(likely, query) : null;
  if (holder) return asGuess(holder, [`its name is a part of ${holder.found.alias}`]);
  const series = isLater ? null : await findSeries(likely, query);
  if (series) return asGuess(series, [`titles named ${likely.title} are also named ${series.found.alias}`]);
  // Catalogs list a long series as one title, while other sites count its episodes in seasons.
  if (isLater && partial?.name.isWhole && (partial.found.episodes ?? maxEpisodeNumber) >= minLongSeries)
    return asGuess(partial, partial.doubts);
  const shorter = partial?.name.hasSeason ? partial : isLater ? null : await findBeginning(likely, query);
  if (shorter && !similar?.isLonger)
    return asGuess(shorter, [`the file name says more than ${shorter.found.alias}`]);
  return similar?.match ?? null;
}

/** The only title of which one name contains this season: `Show S2` in `The Long Show S2`. */
async function findSeasonHolder(reading: FilmReading, query: CatalogQuery) {
  if (reading.season === null) return null;
  const holders = new Map<number, Judgement>();
  for (const name of seasonNames(reading.title, reading.season))
    for (const found of (await query.catalog.holding(name)) ?? []) {
      if (heldIn(name, found.alias) === null) continue;
      const candidate = { found, reading, rank: 0, name: { ...plainName, name } };
      const judged = await placeAndJudge(candidate, query);
      if (judged.doubts.length === 0 && !holders.has(found.malId)) holders.set(found.malId, judged);
    }
  const [only, ...more] = holders.values();
  return more.length === 0 ? only : undefined;
}

/** The title whose name is the longest beginning of the film's name: `Show` for `Show Remastered - 05`. */
async function findBeginning(reading: FilmReading, query: CatalogQuery) {
  const words = reading.title.split(" ");
  if (hasSequelWord(words.slice(1).join(" "))) return null;
  const names = words
    .slice(Math.floor(words.length / 2))
    .map((_, index) => words.slice(0, -index - 1).join(" "));
  const beginnings = (await query.catalog.named(names)).flatMap((titles, index) =>
    withoutByNames({ ...plainName, name: names[index] ?? "" }, titles),
  );
  const judged = await Promise.all(
    beginnings.map((found) => placeAndJudge({ found, reading, rank: 0, name: plainName }, query)),
  );
  return judged.find(({ doubts }) => doubts.length === 0) ?? null;
}

const minTitlesOfSeries = 3;

/**
 * A catalog can have `Show Movie 1`, `Show Movie 2` and so on in one language, and the series itself only in another.
 * The other names of the movies begin with the name of the series.
 */
async function findSeries(reading: FilmReading, query: CatalogQuery): Promise<Judgement | null> {
  const { catalog } = query;
  const longer = ((await catalog.holding(reading.title)) ?? []).filter(
    ({ alias }) => heldIn(reading.title, alias) === "beginning",
  );
  const malIds = [...new Set(longer.map(({ malId }) => malId))].slice(0, minTitlesOfSeries);
  if (malIds.length < minTitlesOfSeries) return null;
  const namesOfAll = await Promise.all(malIds.map(catalog.namesOf));
  const begins = (name: string, names: readonly string[]) =>
    names.some((one) => heldIn(name, one) === "beginning");
  const shared = (namesOfAll[0] ?? [])
    .flatMap((name) => name.split(" ").map((_, index, words) => words.slice(0, index + 1).join(" ")))
    .filter((name) => namesOfAll.every((names) => begins(name, names)));
  const judged = await Promise.all(
    (await catalog.named(shared))
      .flat()
      .map((found) => placeAndJudge({ found, reading, rank: 0, name: plainName }, query)),
  );
  return best(judged.filter(({ doubts }) => doubts.length === 0))?.chosen ?? null;
}

const plainName: TitleName = { name: "", type: null, isWhole: true, hasSeason: true };

/** From this nearness on, a name counts as another spelling. */
const minNearness = 0.88;
/** Below this share of common words, a name is not proposed. */
const minSharedShare = 0.4;

type Similar = { match: FilmMatch; nearness: number; doubts: number; year: number; isLonger: boolean };

/**
 * Orders similar titles by likelihood. Among longer names that begin with the film's name, the earliest title comes
 * first.
 */
const byLikelihood = (one: Similar, other: Similar) =>
  one.doubts - other.doubts ||
  Number(other.nearness >= minNearness) - Number(one.nearness >= minNearness) ||
  Number(other.isLonger) - Number(one.isLonger) ||
  (one.isLonger ? one.year - other.year : other.nearness - one.nearness);

async function findSimilar(
  query: CatalogQuery,
  reading: FilmReading,
  { name, hasSeason }: Pick<TitleName, "name" | "hasSeason">,
): Promise<Similar[]> {
  const titleName = { ...plainName, name, hasSeason };
  const longer = ((await query.catalog.holding(name)) ?? []).filter(
    ({ alias }) => heldIn(name, alias) === "beginning",
  );
  const titles = [...(await query.catalog.similar(name)), ...longer];
  const judged = await Promise.all(
    titles.map((found) => placeAndJudge({ found, reading, rank: 0, name: titleName }, query)),
  );
  return judged.flatMap((one) => {
    const { base = one.found, doubts } = one;
    const isLonger = heldIn(name, base.alias) === "beginning";
    const nearness = nameNearness(name, base.alias);
    if (!isLonger && sharedShare(reading.title, splitSeason(base.alias).title) < minSharedShare) return [];
    if (nearness < minNearness && (one.reading.last ?? 0) > (one.found.episodes ?? maxEpisodeNumber))
      return [];
    return [
      {
        match: asGuess(one, [`its name is similar to ${base.alias}`, ...doubts]),
        nearness,
        doubts: doubts.length,
        year: base.year ?? Number.POSITIVE_INFINITY,
        isLonger,
      },
    ];
  });
}
