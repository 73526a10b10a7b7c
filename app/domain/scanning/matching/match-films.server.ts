import { dirname } from "node:path/posix";
import { isSubtitleFile } from "#app/media/subtitles/subtitle-names.ts";
import { chunksOf, valuesByKey } from "#app/platform/lists.ts";
import type { FilmName, FilmReading } from "../names/film-name.ts";
import type { NumberRange } from "../names/judge.ts";
import { namesOf } from "../names/title-names.ts";
import { catalogLookups } from "./catalog-lookups.server.ts";
import { type NamedFile, withNotes } from "./folder-notes.server.ts";
import { asGuess, doubted, type FilmMatch, matchFilm } from "./match-film.server.ts";

/** Matches the films of a collection together, since films in one folder help to identify each other. */

type MatchedFile = NamedFile & { match: FilmMatch | null };

const filmsAtOnce = 100;

/** Returns one match per film, in the order of the films. */
export async function matchFilms(found: readonly NamedFile[]): Promise<(FilmMatch | null)[]> {
  const films = await withNotes(found);
  const catalog = catalogLookups();
  const numbers = numberRanges(films);
  const matched: MatchedFile[] = [];
  for (const some of chunksOf(films, filmsAtOnce)) {
    // Looks up the names of the whole batch in one query.
    await catalog.named(
      some.flatMap(({ name }) =>
        name.readings.flatMap((one) => namesOf(one, name.year)).map((one) => one.name),
      ),
    );
    const pendingMatches = some.map(async (film) => {
      const numbersOf = (reading: FilmReading) => numbers.get(seriesKey(film, reading)) ?? null;
      return { ...film, match: await matchFilm(film.name, numbersOf, catalog) };
    });
    matched.push(...(await Promise.all(pendingMatches)));
  }
  const ofFolder = onlyTitles(matched);
  const proposed = matched.map((film) => ({
    ...film,
    match: film.match ?? likeTheOthers(film.name, ofFolder.get(dirname(film.path))),
  }));
  return withoutContradictions(withoutFileNumbers(withoutPieces(proposed))).map(({ match }) => match);
}

/**
 * Matches of pieces are not sure, because pieces of one episode would be rivals. Nor are matches on a disc without a
 * number, since the next disc can have the rest, or with numbers that may begin with 1 again.
 */
function withoutPieces(films: readonly MatchedFile[]): MatchedFile[] {
  const lowest = new Map<string, number>();
  for (const { path, match } of films) {
    const first = match?.asRead.first ?? null;
    if (first !== null) lowest.set(dirname(path), Math.min(first, lowest.get(dirname(path)) ?? first));
  }
  const doubtAbout = ({ path, name: { piece, disc } }: MatchedFile, { first }: FilmReading) => {
    if (piece !== null)
      return `it is part ${piece} of ${first === null ? "a movie" : `episode ${first}`} in several files, which are not joined`;
    if (disc === null) return null;
    if (first === null) return `it is on disc ${disc}, so it may be only a part`;
    const isNumberedAnew = (lowest.get(dirname(path)) ?? disc) < disc;
    return isNumberedAnew ? `the files of disc ${disc} may be numbered from 1 again` : null;
  };
  return films.map((film) => {
    const doubt = film.match && doubtAbout(film, film.match.reading);
    return film.match && doubt !== null ? { ...film, match: doubted(film.match, doubt) } : film;
  });
}

/**
 * A file without a name of its own may be an extra if its folder has another film of the same title: `title_t00` and
 * `title_t01`.
 */
function withoutFileNumbers(films: readonly MatchedFile[]): MatchedFile[] {
  const keysOf = ({ path, name, match }: MatchedFile) =>
    match?.isSure && match.reading.first === null && !name.isExtra && !isSubtitleFile(path)
      ? [JSON.stringify([dirname(path), match.malId])]
      : [];
  const rivals = findRivals(films, keysOf, ({ name }) => name.fileNumber);
  return films.map((film) => (rivals.has(film) && film.name.fileNumber !== null ? contradict(film) : film));
}

/** Files of one folder with different numbers cannot be the same episode, so such matches are not sure. */
function withoutContradictions(films: readonly MatchedFile[]): MatchedFile[] {
  const keysOf = ({ path, name, match }: MatchedFile) => {
    if (!match?.isSure || name.isExtra || name.language !== null) return [];
    const { first, last } = match.reading;
    const episodes = Array.from({ length: (last ?? 1) - (first ?? 1) + 1 }, (_, at) => (first ?? 1) + at);
    return episodes.map((episode) => JSON.stringify([dirname(path), match.malId, episode]));
  };
  const rivals = findRivals(films, keysOf, ({ match }) => numbersIn(match?.asRead));
  return films.map((film) => (rivals.has(film) ? contradict(film) : film));
}

/** The films that share a key with a film of another number. */
function findRivals(
  films: readonly MatchedFile[],
  keysOf: (film: MatchedFile) => string[],
  numberOf: (film: MatchedFile) => string | null,
): ReadonlySet<MatchedFile> {
  const numbers = new Map<string, Set<string | null>>();
  for (const film of films)
    for (const key of keysOf(film)) numbers.set(key, (numbers.get(key) ?? new Set()).add(numberOf(film)));
  return new Set(films.filter((film) => keysOf(film).some((key) => (numbers.get(key)?.size ?? 0) > 1)));
}

const contradiction = "another file of its folder has a different number and would be the same episode";

const contradict = (film: MatchedFile): MatchedFile => ({
  ...film,
  match: film.match && { ...doubted(film.match, contradiction), isContradicted: true },
});

/** All numbers of a name, regardless of position: `Show 2 - 05` and `Show S2 - 05` have the same numbers. */
function numbersIn(reading: FilmReading | undefined): string {
  if (!reading) return "";
  const { title, season, part, first, last, half, special } = reading;
  const ofTitle = [...(title.match(/\d+/g) ?? []).map(Number), season ?? 1, part ?? 1].filter(
    (one) => one > 1,
  );
  return JSON.stringify([ofTitle.sort((one, other) => one - other), first, last, half, special]);
}

const minFilmsOfTitle = 3;

/** For each folder whose sure matches all have the same title, one of these matches. */
function onlyTitles(films: readonly MatchedFile[]): Map<string, FilmMatch> {
  const sure = valuesByKey(
    films.flatMap(({ path, match }) => (match?.isSure ? [[dirname(path), match] as const] : [])),
  );
  return new Map(
    [...sure].flatMap(([folder, [one, ...more]]) =>
      one && more.length + 1 >= minFilmsOfTitle && more.every(({ malId }) => malId === one.malId)
        ? [[folder, one] as const]
        : [],
    ),
  );
}

/**
 * A film without a match may be another spelling of the title that the rest of its folder has. An operator has to
 * confirm it.
 */
function likeTheOthers(name: FilmName, other: FilmMatch | undefined): FilmMatch | null {
  const reading = name.readings.find(({ first }) => first !== null);
  if (!other || !reading || name.isExtra) return null;
  return asGuess({ found: other, reading }, [`the other videos of its folder are of ${other.title}`]);
}

/** Films with the same key are in one folder, have the same name and form a series. */
const seriesKey = ({ path, name }: NamedFile, { title, season, part, special, year }: FilmReading) =>
  JSON.stringify([dirname(path), title.toLowerCase(), season, part, special, year ?? name.year]);

const isYear = (number: number) => number > 1916 && number < 2040;

function numberRanges(films: readonly NamedFile[]): Map<string, NumberRange> {
  const ranges = new Map<string, NumberRange>();
  for (const film of films)
    for (const reading of film.name.isExtra ? [] : film.name.readings) {
      const { first, last } = reading;
      if (first === null || last === null || isYear(last)) continue;
      const key = seriesKey(film, reading);
      const { lowest, highest } = ranges.get(key) ?? { lowest: first, highest: last };
      ranges.set(key, { lowest: Math.min(first, lowest), highest: Math.max(last, highest) });
    }
  return ranges;
}
