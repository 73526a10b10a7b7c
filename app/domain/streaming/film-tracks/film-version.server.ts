import { findFilm } from "../films/film-records.server.ts";
import { type FilmFile, findFilmFile } from "../films/media-folder.server.ts";
import { type ReadFilm, readFilm } from "../packaging/inspected-films.server.ts";
import { versionOf } from "../packaging/packaged-film.server.ts";

/** Names a part of a film: the subtitles and fonts in it have addresses beside those of its segments. */
export type FilmAddress = { film: string; version: string };

/** Null: there is no such film, or its file has changed. */
export async function openVersion({
  film: id,
  version,
}: FilmAddress): Promise<{ film: ReadFilm; file: FilmFile } | null> {
  const row = await findFilm(id);
  const film = row && (await readFilm(row));
  const file = film && (await findFilmFile(film.path));
  return film && file && versionOf(film) === version ? { film, file } : null;
}
