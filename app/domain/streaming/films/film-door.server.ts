import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import {
  isShownFilm,
  seesFilesOfNoTitle,
  seesFilms,
  type Viewer,
  visibleTo,
} from "#app/domain/catalog/catalog.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";

/** Which files of films a viewer may have: those of the titles that the viewer may see. */

/** A film or registered subtitles by their id, or a file of MEDIA_DIR by its path. */
export type WantedFile = { kind: "film" | "subtitles" | "file"; name: string };

/** The path of the film, the URL of the subtitles, or the path again. Null: the viewer may not have it, or it does not exist. */
export async function findOpenFile({ kind, name }: WantedFile, viewer: Viewer): Promise<string | null> {
  if (kind === "film") return findFilmOfTitle(name, viewer);
  if (kind === "subtitles") return findSubtitlesOfTitle(name, viewer);
  return seesFilms(viewer) && (await mayHaveFile(name, viewer)) ? name : null;
}

async function findFilmOfTitle(id: string, viewer: Viewer): Promise<string | null> {
  const [film] = await db
    .select({ path: films.path })
    .from(films)
    .innerJoin(episodeSources, eq(episodeSources.filmId, films.id))
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .where(and(eq(films.id, id), visibleTo(viewer), isShownFilm(viewer, episodeSources.url)))
    .limit(1);
  return film?.path ?? null;
}

async function findSubtitlesOfTitle(id: string, viewer: Viewer): Promise<string | null> {
  const [subtitles] = await db
    .select({ url: episodeSubtitles.url })
    .from(episodeSubtitles)
    .innerJoin(titles, eq(titles.malId, episodeSubtitles.malId))
    .where(and(eq(episodeSubtitles.id, id), visibleTo(viewer), isShownFilm(viewer, episodeSubtitles.url)));
  return subtitles?.url ?? null;
}

/** A playlist stands for all files in its folder. A file can be of several titles: one that is shown is enough. */
async function mayHaveFile(path: string, viewer: Viewer): Promise<boolean> {
  const fileOf = (url: SQLWrapper) => sql`regexp_replace(${url}, '^media:/*', '', 'i')`;
  const ofSource = sql`${episodeSources.url} ~* '^media:' and (${fileOf(episodeSources.url)} = ${path}
    or ${episodeSources.type} = 'hls' and starts_with(${path}, substring(${fileOf(episodeSources.url)} from '^.*/')))`;
  const ofSubtitles = sql`${episodeSubtitles.url} ~* '^media:' and ${fileOf(episodeSubtitles.url)} = ${path}`;
  const [row] = await db.execute<{ isShown: boolean | null }>(sql`
    select bool_or(${visibleTo(viewer)}) as "isShown" from ${titles} where mal_id in (
      select mal_id from ${episodeSources} where ${ofSource}
      union all select mal_id from ${episodeSubtitles} where ${ofSubtitles})`);
  return row?.isShown ?? seesFilesOfNoTitle(viewer);
}
