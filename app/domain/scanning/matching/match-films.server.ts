import { dirname } from "node:path/posix";
import type { FilmName, FilmReading } from "../names/film-name.ts";
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
  const highest = highestNumbers(films);
  const matches: (FilmMatch | null)[] = [];
  for (let at = 0; at < films.length; at += filmsAtOnce) {
    const some = films.slice(at, at + filmsAtOnce);
    // Looks up the names of the whole batch in one query.
    await catalog.named(
      some.flatMap(({ name }) =>
        name.readings.flatMap((one) => namesOf(one, name.year)).map((one) => one.name),
      ),
    );
    const found = some.map((film) =>
      matchFilm(film.name, (reading) => highest.get(seriesKey(film, reading)) ?? null, catalog),
    );
    matches.push(...(await Promise.all(found)));
  }
  const ofFolder = onlyTitles(films, matches);
  return films.map(
    ({ path, name }, index) => matches[index] ?? likeTheOthers(name, ofFolder.get(dirname(path))),
  );
}

const minFilmsOfTitle = 3;

/** For each folder whose sure matches all have the same title: one of those matches. */
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
  return { malId, title, reading, isSure: false, reasons: [`the other films of its folder are of ${title}`] };
}

/** Films with the same key lie in one folder, have the same name and form one series. */
const seriesKey = ({ path, name }: NamedFile, { title, season, part, special, year }: FilmReading) =>
  JSON.stringify([dirname(path), title.toLowerCase(), season, part, special, year ?? name.year]);

const isYear = (number: number) => number > 1916 && number < 2040;

function highestNumbers(films: readonly NamedFile[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const film of films)
    for (const reading of film.name.isExtra ? [] : film.name.readings) {
      if (reading.last === null || isYear(reading.last)) continue;
      const key = seriesKey(film, reading);
      highest.set(key, Math.max(reading.last, highest.get(key) ?? 0));
    }
  return highest;
}
