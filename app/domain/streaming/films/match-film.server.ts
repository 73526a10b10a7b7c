import {
  catalogKeeper,
  findTitlesNamed,
  listTitlesById,
  type NamedTitle,
  suggestTitles,
} from "#app/domain/catalog/catalog.server.ts";
import { continueNumber } from "../film-names/continued-numbers.ts";
import type { FilmName, FilmReading } from "../film-names/film-name.ts";
import { best, type Candidate, doubtsOf, type Judgement, judge } from "../film-names/judge.ts";
import { nameNearness } from "../film-names/name-nearness.server.ts";
import { seasonNames } from "../film-names/season-words.ts";
import { namesOf } from "../film-names/title-names.ts";

/** Finds the title and the episode of a film by its name. The catalog decides which way to read the name. */

export type FilmMatch = {
  malId: number;
  title: string;
  reading: FilmReading;
  isSure: boolean;
  /** What speaks against it, for the operator. */
  reasons: readonly string[];
};

const maxReadings = 12;

export async function matchFilm(name: FilmName): Promise<FilmMatch | null> {
  const readings = name.readings.slice(0, maxReadings);
  const named = readings.map((reading, rank) => ({ reading, rank, names: namesOf(reading) }));
  const all = named.flatMap(({ names }) => names.map((one) => one.name));
  const found = await findTitlesNamed([...new Set(all)], catalogKeeper);
  const candidates = named.flatMap(({ reading, rank, names }) =>
    names.flatMap((one) =>
      (found.get(one.name) ?? []).map((title): Candidate => ({ found: title, reading, rank, name: one })),
    ),
  );
  const decided = best(candidates.map((candidate) => judge(candidate, name)));
  if (decided?.chosen.name.isWhole && decided.chosen.name.hasSeason) {
    const { rival } = decided;
    const { found: title, reading, doubts } = (await continued(decided.chosen)) ?? decided.chosen;
    return {
      malId: title.malId,
      title: title.title,
      reading,
      isSure: doubts.length === 0 && rival === null,
      reasons: [...doubts, ...(rival ? [`${rival.found.title} has the same name`] : [])],
    };
  }
  // The first words of the name are a title against which nothing else speaks.
  const partial = decided?.chosen.doubts.length === 1 ? decided.chosen : null;
  return guess(readings, name.year, partial);
}

/** For a number beyond the title's last episode: the title in which the numbers go on. */
async function continued(chosen: Judgement): Promise<Judgement | null> {
  const { found, reading } = chosen;
  const { first, last } = reading;
  if (first === null || last === null || (found.episodes !== null && first <= found.episodes)) return null;
  const [begin, end] = [continueNumber(found.malId, first), continueNumber(found.malId, last)];
  if (!begin || begin.malId !== end?.malId) return null;
  const [title] = await listTitlesById([begin.malId], catalogKeeper);
  if (!title) return null;
  const there: Candidate = {
    ...chosen,
    found: { ...title, alias: found.alias, kind: found.kind },
    reading: { ...reading, first: begin.number, last: end.number },
  };
  // The year that people write is that of the first title.
  return { ...there, points: chosen.points, doubts: doubtsOf(there, null) };
}

/** The most similar name against which nothing else speaks. Unless it is nearly the same, a person has to confirm it. */
async function guess(
  readings: readonly FilmReading[],
  year: number | null,
  partial: Candidate | null,
): Promise<FilmMatch | null> {
  const likely = readings.find(({ first, isOther }) => first !== null || isOther) ?? readings[0];
  if (!likely) return null;
  const { season } = likely;
  const names = season !== null && season > 1 ? seasonNames(likely.title, season).slice(0, 2) : [];
  let similar: Similar | null = null;
  for (const name of [...names, ...readings.map(({ title }) => title)])
    similar ??= await findSimilar(
      { ...likely, isShort: name !== likely.title && !names.includes(name) },
      name,
      year,
    );
  if (similar && (similar.nearness >= minNearness || !partial?.name.hasSeason)) return similar.match;
  return partial?.name.hasSeason ? partialMatch(partial) : null;
}

const partialMatch = ({ found, reading }: Candidate): FilmMatch => ({
  malId: found.malId,
  title: found.title,
  reading,
  isSure: false,
  reasons: [`the file name says more than ${found.alias}`],
});

type Similar = { match: FilmMatch; nearness: number };

async function findSimilar(reading: FilmReading, name: string, year: number | null): Promise<Similar | null> {
  const asked = { name, type: null, isWhole: true, hasSeason: true };
  const similar = (await suggestTitles(name, catalogKeeper)).map(({ title, matched }) => {
    const found: NamedTitle = { ...title, members: title.members, alias: matched, kind: "title" };
    return {
      title,
      matched,
      nearness: nameNearness(name, matched),
      doubts: doubtsOf({ found, reading, rank: 0, name: asked }, year),
    };
  });
  const [first, second] = [...similar].sort((one, other) => one.doubts.length - other.doubts.length);
  if (!first) return null;
  const isSure =
    first.doubts.length === 0 &&
    first.nearness >= minNearness &&
    (second === undefined || second.doubts.length > 0 || first.nearness - second.nearness > minLead);
  const match = {
    malId: first.title.malId,
    title: first.title.title,
    reading,
    isSure,
    reasons: isSure ? [] : [`its name is similar to ${first.matched}`, ...first.doubts],
  };
  return { match, nearness: first.nearness };
}

const minNearness = 0.88;
const minLead = 0.08;
