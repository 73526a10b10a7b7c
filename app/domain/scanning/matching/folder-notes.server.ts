import { dirname } from "node:path/posix";
import { hasFilmRoots } from "#app/domain/films/films.server.ts";
import { isWholeRoot } from "#app/domain/films/films.ts";
import { countEach } from "#app/platform/lists.ts";
import type { FilmName } from "../names/film-name.ts";
import { type FilmId, filmIdsOf } from "../names/id-tags.ts";
import { type NotesElement, openNotes } from "../notes.server.ts";

/** Reads title ids from the notes in a title's folder. */

export type NamedFile = { path: string; name: FilmName };

/** Adds the ids from notes to films whose own path has none. */
export async function withNotes(films: readonly NamedFile[]): Promise<NamedFile[]> {
  if (!hasFilmRoots()) return [...films];
  const mainFilms = films.filter(({ name }) => name.language === null && !name.isExtra);
  const filmsIn = countEach(mainFilms.map(({ path }) => dirname(path)));
  const known = new Map<string, FilmId[]>();
  const withIds: NamedFile[] = [];
  for (const { path, name } of films) {
    const isAlone = filmsIn.get(dirname(path)) === 1;
    const ids = name.ids.length > 0 ? name.ids : await findIds(dirname(path), isAlone, known);
    withIds.push({ path, name: { ...name, ids } });
  }
  return withIds;
}

/** Notes in a root itself are ignored. A `movie.nfo` counts only for the single film of its folder. */
async function findIds(films: string, isAlone: boolean, known: Map<string, FilmId[]>): Promise<FilmId[]> {
  for (let folder = films; folder !== "." && !isWholeRoot(folder); folder = dirname(folder))
    for (const name of folder === films && isAlone ? ["movie.nfo", "tvshow.nfo"] : ["tvshow.nfo"]) {
      const path = `${folder}/${name}`;
      const ids = known.get(path) ?? (await readIds(path));
      known.set(path, ids);
      if (ids.length > 0) return ids;
    }
  return [];
}

async function readIds(path: string): Promise<FilmId[]> {
  const read = await openNotes(path);
  // If the file is gone or unreadable by now, the films are matched by name alone.
  return read === null ? [] : (await read().catch(() => [])).flatMap(idsOfElement);
}

export function idsOfElement({ name, type, text }: NotesElement): FilmId[] {
  const site = name === "uniqueid" ? type : (/^([a-z]+?)_?id$/i.exec(name)?.[1] ?? "");
  return filmIdsOf(site, text.trim());
}
