import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { isWithheldFile } from "#app/domain/films/films.server.ts";
import {
  isOfDemonstration,
  isShownFilm,
  seesFilesOfNoTitle,
  seesFilms,
  type Viewer,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";

/** Decides which film and subtitle files a viewer may load: those of the titles that the viewer may see. */

/** A film or registered subtitles by id, or a file of MEDIA_DIR by path. */
export type WantedFile = { kind: "film" | "subtitles" | "file"; name: string };

/**
 * Returns the film's path, the subtitles' URL, or the given path. Null if the viewer may not load the file, or if it
 * does not exist.
 */
export async function findOpenFile({ kind, name }: WantedFile, viewer: Viewer): Promise<string | null> {
  if (kind === "film") return findFilmOfTitle(name, viewer);
  if (kind === "subtitles") return findSubtitlesOfTitle(name, viewer);
  return seesFilms(viewer) && (await mayLoadFile(name, viewer)) ? name : null;
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

/**
 * A playlist gives access to all files in its folder. A file can belong to several titles; one visible title is enough.
 * A file that no title names can be a link to a hidden title's file, so its real path is checked too.
 */
async function mayLoadFile(path: string, viewer: Viewer): Promise<boolean> {
  const fileOf = (url: SQLWrapper) => sql`regexp_replace(${url}, '^media:/*', '', 'i')`;
  const isNamed = (url: SQLWrapper) => sql`${url} ~* '^media:' and ${fileOf(url)} = ${path}`;
  const isBeside = sql`${episodeSources.url} ~* '^media:' and ${episodeSources.type} = 'hls'
    and starts_with(${path}, substring(${fileOf(episodeSources.url)} from '^.*/'))`;
  const [row] = await db.execute<{ named: boolean | null; beside: boolean | null }>(sql`
    select bool_or(${visibleTo(viewer)}) filter (where is_named) as named,
           bool_or(${visibleTo(viewer)}) filter (where not is_named) as beside
      from ${titles} join (
        select mal_id, true as is_named from ${episodeSources} where ${isNamed(episodeSources.url)}
        union all select mal_id, false from ${episodeSources} where ${isBeside}
        union all select mal_id, true from ${episodeSubtitles} where ${isNamed(episodeSubtitles.url)}
      ) as of_title using (mal_id)`);
  if (row?.named !== null && row?.named !== undefined) return row.named;
  const isBesideShown = row?.beside === true;
  if (!isBesideShown && (row?.beside === false || !seesFilesOfNoTitle(viewer))) return false;
  return !(await isWithheldFile(path, viewer, { withFolders: !isBesideShown }));
}

const readDemonstrations = cachePerVersion<ReadonlySet<string>>(1);

/** Whether visitors too may load the film or subtitles: only those of the demonstration. */
export async function isForEverybody({ kind, name }: WantedFile): Promise<boolean> {
  if (kind === "file") return false;
  const ids = await readDemonstrations("all", async () => {
    const rows = await db.execute<{ id: string }>(sql`
      select id from ${films} where ${isOfDemonstration(films.path)}
      union all select id from ${episodeSubtitles} where ${isOfDemonstration(episodeSubtitles.url)}`);
    return new Set(rows.map(({ id }) => id));
  });
  return ids.has(name.toLowerCase());
}
