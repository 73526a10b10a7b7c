import { type IdentifiedTitle, listTitlesById, type NamedTitle } from "#app/domain/catalog/catalog.server.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import { continueNumber } from "../names/continued-numbers.ts";
import type { FilmName, FilmReading } from "../names/film-name.ts";
import { best, doubtsOf, type Judgement, judge, type Known, type TitleCandidate } from "../names/judge.ts";
import { nameNearness } from "../names/name-spelling.server.ts";
import { seasonNames } from "../names/season-words.ts";
import { namesOf, type TitleName } from "../names/title-names.ts";
import { type AskedFilm, type CatalogLookups, catalogLookups } from "./catalog-lookups.server.ts";
import { type ById, idsText, judgeById } from "./match-by-ids.server.ts";
import { findByOtherNames, findHolding, findOtherSpelling } from "./other-names.server.ts";

/** Finds a film's title and episode by its name. The catalog decides which reading of the name is right. */

export type FilmMatch = {
  malId: number;
  title: string;
  reading: FilmReading;
  isSure: boolean;
  /** The reasons against this match, shown to the operator. */
  reasons: readonly string[];
};

const maxReadings = 12;

export async function matchFilm(
  name: FilmName,
  highestOf: Known["highestOf"] = () => null,
  catalog: CatalogLookups = catalogLookups(),
): Promise<FilmMatch | null> {
  const known = { year: name.year, highestOf };
  const asked: AskedFilm = { readings: name.readings.slice(0, maxReadings), known, catalog };
  const named = await findNamed(asked);
  const identified = name.ids.length === 0 ? [] : await catalog.withIds(name.ids);
  const byId = judgeById(identified, named, asked.readings, known);
  const byName = await matchByName(asked, named);
  return byId ? withId(byId, byName, { name, catalog }) : withoutId(byName, name, identified, named);
}

const nothingKnown: Known = { year: null, highestOf: () => null };

/** The id wins, unless the name is a sure match for another title. */
async function withId(
  { judged, malIds }: ById,
  byName: FilmMatch | null,
  { name, catalog }: { name: FilmName; catalog: CatalogLookups },
): Promise<FilmMatch> {
  const match = await toMatch({ chosen: judged, rival: null }, { known: nothingKnown, catalog });
  const isOther = byName?.isSure && byName.malId !== match.malId && !malIds.has(byName.malId);
  if (!isOther) return match;
  return {
    ...match,
    isSure: false,
    reasons: [
      ...match.reasons,
      `its id (${idsText(name.ids)}) is that of ${match.title}, and its name that of ${byName.title}`,
    ],
  };
}

/** The ids lead to no title for this film: they are unknown, or fit several titles of which none can be chosen. */
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
  return { ...match, isSure: false, reasons: [...match.reasons, reason] };
}

async function matchByName(asked: AskedFilm, named: readonly Judgement[]): Promise<FilmMatch | null> {
  const decided = best(named);
  if (decided && isDecided(decided.chosen)) return toMatch(decided, asked);
  for (const find of [findByOtherNames, findOtherSpelling, findHolding]) {
    const found = best((await find(asked, named)).filter(isDecided));
    if (found && found.chosen.doubts.length === 0) return toMatch(found, asked);
  }
  // A match on only the first words of the name, with no other doubt.
  const partial = decided?.chosen.doubts.length === 1 ? decided.chosen : null;
  return guess(asked, partial);
}

const isDecided = ({ name }: TitleCandidate) => name.isWhole && name.hasSeason;

type Decided = NonNullable<ReturnType<typeof best>>;

type Asked = Pick<AskedFilm, "known" | "catalog">;

async function toMatch({ chosen, rival }: Decided, { known, catalog }: Asked): Promise<FilmMatch> {
  const beyond = (await continued(chosen, known)) ?? (await continuedInSequel(chosen, catalog));
  const { found: title, reading, doubts } = beyond ?? chosen;
  return {
    malId: title.malId,
    title: title.title,
    reading,
    isSure: doubts.length === 0 && rival === null,
    reasons: [...doubts, ...(rival ? [`${rival.found.title} has the same name`] : [])],
  };
}

async function findNamed({ readings, known, catalog }: AskedFilm): Promise<Judgement[]> {
  const asked = readings.flatMap((reading, rank) =>
    namesOf(reading, known.year).map((name) => ({ reading, rank, name })),
  );
  const found = await catalog.named(asked.map(({ name }) => name.name));
  return asked.flatMap((one, index) =>
    (found[index] ?? []).map((title) => judge({ ...one, found: title }, known)),
  );
}

/** If the number is beyond the title's last episode, finds the title that continues the numbering. */
async function continued(chosen: Judgement, known: Known): Promise<Judgement | null> {
  const { found, reading } = chosen;
  const { first, last } = reading;
  if (first === null || last === null || (found.episodes !== null && first <= found.episodes)) return null;
  const [begin, end] = [continueNumber(found.malId, first), continueNumber(found.malId, last)];
  if (!begin || begin.malId !== end?.malId) return null;
  const [title] = await listTitlesById([begin.malId], catalogKeeper);
  if (!title) return null;
  const there: TitleCandidate = {
    ...chosen,
    found: { ...title, alias: found.alias, kind: found.kind },
    reading: { ...reading, first: begin.number, last: end.number, year: null },
  };
  // The year in a file name is the first title's, and so is the highest number, so neither applies here.
  return {
    ...there,
    points: chosen.points,
    doubts: doubtsOf(there, { ...known, year: null, highestOf: () => null }),
  };
}

const maxSequels = 20;

/** The sequel that has this number if episodes are counted across all sequels. An operator has to confirm the match. */
async function continuedInSequel(chosen: Judgement, catalog: CatalogLookups): Promise<Judgement | null> {
  const { found, reading } = chosen;
  const { first, last, season } = reading;
  if (first === null || last === null || (season !== null && season > 1)) return null;
  let title: Pick<NamedTitle, "malId" | "title" | "episodes"> = found;
  let before = 0;
  for (let sequels = 0; title.episodes !== null && first > before + title.episodes; sequels++) {
    before += title.episodes;
    const next = sequels < maxSequels ? await catalog.sequelOf(title.malId, found.type) : null;
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

/** The most similar name without other doubts. An operator has to confirm the match. */
async function guess(asked: AskedFilm, partial: TitleCandidate | null): Promise<FilmMatch | null> {
  const { readings } = asked;
  const likely = readings.find(({ first, isOther }) => first !== null || isOther) ?? readings[0];
  if (!likely) return null;
  const { season } = likely;
  const names = season !== null && season > 1 ? seasonNames(likely.title, season).slice(0, 2) : [];
  const isFirst = names.length === 0;
  const found: Similar[] = [];
  for (const name of [...names, ...readings.map(({ title }) => title)])
    found.push(...(await findSimilar(asked, likely, { name, hasSeason: names.includes(name) || isFirst })));
  const [similar] = found.sort(byLikelihood);
  if (similar && (similar.nearness >= minNearness || !partial?.name.hasSeason)) return similar.match;
  return partial?.name.hasSeason ? partialMatch(partial) : null;
}

const minNearness = 0.88;

const partialMatch = ({ found, reading }: TitleCandidate): FilmMatch => ({
  malId: found.malId,
  title: found.title,
  reading,
  isSure: false,
  reasons: [`the file name says more than ${found.alias}`],
});

type Similar = { match: FilmMatch; nearness: number; doubts: number };

const byLikelihood = (one: Similar, other: Similar) =>
  one.doubts - other.doubts || other.nearness - one.nearness;

async function findSimilar(
  { known, catalog }: AskedFilm,
  reading: FilmReading,
  { name, hasSeason }: Pick<TitleName, "name" | "hasSeason">,
): Promise<Similar[]> {
  const asked = { name, type: null, isWhole: true, hasSeason };
  return (await catalog.similar(name)).map((found) => {
    const doubts = doubtsOf({ found, reading, rank: 0, name: asked }, known);
    const { malId, title, alias } = found;
    const reasons = [`its name is similar to ${alias}`, ...doubts];
    return {
      match: { malId, title, reading, isSure: false, reasons },
      nearness: nameNearness(name, alias),
      doubts: doubts.length,
    };
  });
}
