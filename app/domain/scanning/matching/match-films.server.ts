import { dirname } from "node:path/posix";
import { isSubtitleFile } from "#app/media/subtitles/subtitle-names.ts";
import type { FilmName, FilmReading } from "../names/film-name.ts";
import type { NumberRange } from "../names/judge.ts";
import { namesOf } from "../names/title-names.ts";
import { catalogLookups } from "./catalog-lookups.server.ts";
import { type NamedFile, withNotes } from "./folder-notes.server.ts";
import { type FilmMatch, matchFilm } from "./match-film.server.ts";

/** Matches the films of a collection together, since films in one folder help to identify each other. */

const filmsAtOnce = 100;

/** Returns one match per film, in the order of the films. */
export async function matchFilms(found: readonly NamedFile[]): Promise<(FilmMatch | null)[]> {
  const films = await withNotes(found);
  const catalog = catalogLookups();
  const numbers = numberRanges(films);
  const matches: (FilmMatch | null)[] = [];
  for (let at = 0; at < films.length; at += filmsAtOnce) {
    const some = films.slice(at, at + filmsAtOnce);
    // Looks up the names of the whole batch in one query.
    await catalog.named(
      some.flatMap(({ name }) =>
        name.readings.flatMap((one) => namesOf(one, name.year)).map((one) => one.name),
      ),
    );
    const pendingMatches = some.map((film) =>
      matchFilm(film.name, (reading) => numbers.get(seriesKey(film, reading)) ?? null, catalog),
    );
    matches.push(...(await Promise.all(pendingMatches)));
  }
  const ofFolder = onlyTitles(films, matches);
  const proposed = films.map(
    ({ path, name }, index) => matches[index] ?? likeTheOthers(name, ofFolder.get(dirname(path))),
  );
  return withoutContradictions(films, withoutFileNumbers(films, withoutPieces(films, proposed)));
}

const unsure = (match: FilmMatch, reason: string): FilmMatch => ({
  ...match,
  isSure: false,
  reasons: [...match.reasons, reason],
});

/**
 * Matches of pieces are not sure, because pieces of one episode would be rivals. Nor are matches on a disc without a
 * number, since the next disc can have the rest, or with numbers that may begin with 1 again.
 */
function withoutPieces(
  films: readonly NamedFile[],
  matches: readonly (FilmMatch | null)[],
): (FilmMatch | null)[] {
  const lowest = new Map<string, number>();
  for (const [index, { path }] of films.entries()) {
    const first = matches[index]?.asRead.first ?? null;
    if (first !== null) lowest.set(dirname(path), Math.min(first, lowest.get(dirname(path)) ?? first));
  }
  return matches.map((match, index) => {
    const { path = "", name: { piece = null, disc = null } = {} } = films[index] ?? {};
    if (match === null) return null;
    if (piece !== null) return unsure(match, pieceText(piece, match.reading));
    if (disc !== null && match.reading.first === null)
      return unsure(match, `it is on disc ${disc}, so it may be only a part`);
    const isNumberedAnew = disc !== null && (lowest.get(dirname(path)) ?? disc) < disc;
    return isNumberedAnew ? unsure(match, `the files of disc ${disc} may be numbered from 1 again`) : match;
  });
}

const pieceText = (piece: number, { first }: FilmReading) =>
  `it is part ${piece} of ${first === null ? "a movie" : `episode ${first}`} in several files, which are not joined`;

/**
 * A file without a name of its own may be an extra if its folder has another film of the same title: `title_t00` and
 * `title_t01`.
 */
function withoutFileNumbers(
  films: readonly NamedFile[],
  matches: readonly (FilmMatch | null)[],
): (FilmMatch | null)[] {
  const numbersOf = new Map<string, Set<string | null>>();
  const keyOf = (index: number): string | null => {
    const film = films[index];
    const match = matches[index];
    if (!film || !match?.isSure || match.reading.first !== null) return null;
    if (film.name.isExtra || isSubtitleFile(film.path)) return null;
    return JSON.stringify([dirname(film.path), match.malId]);
  };
  for (const [index, { name }] of films.entries()) {
    const key = keyOf(index);
    if (key !== null) numbersOf.set(key, (numbersOf.get(key) ?? new Set()).add(name.fileNumber));
  }
  return matches.map((match, index) => {
    const isAlone = (numbersOf.get(keyOf(index) ?? "")?.size ?? 0) < 2;
    if (match === null || isAlone || films[index]?.name.fileNumber === null) return match;
    return { ...unsure(match, contradiction), isContradicted: true };
  });
}

/** Files of one folder with different numbers cannot be the same episode, so such matches are not sure. */
function withoutContradictions(
  films: readonly NamedFile[],
  matches: readonly (FilmMatch | null)[],
): (FilmMatch | null)[] {
  const numbersOf = new Map<string, Set<string>>();
  const keysOf = (index: number): string[] => {
    const film = films[index];
    const match = matches[index];
    if (!film || !match?.isSure || film.name.isExtra || film.name.language !== null) return [];
    const { first, last } = match.reading;
    const episodes = Array.from({ length: (last ?? 1) - (first ?? 1) + 1 }, (_, at) => (first ?? 1) + at);
    return episodes.map((episode) => JSON.stringify([dirname(film.path), match.malId, episode]));
  };
  for (const [index, match] of matches.entries())
    for (const key of keysOf(index))
      numbersOf.set(key, (numbersOf.get(key) ?? new Set()).add(numbersIn(match?.asRead)));
  return matches.map((match, index) => {
    const isContradicted = keysOf(index).some((key) => (numbersOf.get(key)?.size ?? 0) > 1);
    return match && isContradicted ? { ...unsure(match, contradiction), isContradicted } : match;
  });
}

const contradiction = "another file of its folder has a different number and would be the same episode";

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
function onlyTitles(
  films: readonly NamedFile[],
  matches: readonly (FilmMatch | null)[],
): Map<string, FilmMatch> {
  const sure = new Map<string, FilmMatch[]>();
  for (const [index, { path }] of films.entries()) {
    const match = matches[index];
    if (match?.isSure) sure.set(dirname(path), [...(sure.get(dirname(path)) ?? []), match]);
  }
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
  const { malId, title } = other;
  return {
    malId,
    title,
    reading,
    asRead: reading,
    isSure: false,
    reasons: [`the other videos of its folder are of ${title}`],
  };
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
