import { and, eq, isNotNull, isNull, not, sql } from "drizzle-orm";
import { isOnAir } from "#app/domain/catalog/catalog.server.ts";
import {
  catalogKeeper,
  isOfDemonstration,
  isPlayableSource,
  seesFilms,
  type Viewer,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";

/** Finds the films that are present and those that are missing. */

/** Leaves out the demonstration, which comes with the site. */
const isFileOfFolder = not(isOfDemonstration(episodeSources.url));

/** Whether the episode has a film whose file is missing. */
export async function isFilmAway(malId: number, episode: number, viewer: Viewer): Promise<boolean> {
  if (!seesFilms(viewer)) return false;
  const isOfEpisode = and(eq(episodeSources.malId, malId), eq(episodeSources.episode, episode));
  const rows = await db
    .select({ id: films.id })
    .from(episodeSources)
    .innerJoin(films, eq(films.id, episodeSources.filmId))
    .where(and(isOfEpisode, sql`${films.goneAt} is not null`))
    .limit(1);
  return rows.length > 0;
}

/**
 * The last episode that should be present. For a title that is still airing, or of unknown length, this is the last one
 * with a film.
 */
const lastExpected = sql<number>`case when ${isOnAir}
  then max(${episodeSources.episode}) else coalesce(${titles.episodes}, max(${episodeSources.episode})) end`;

/** Titles that have films for some episodes and lack others, for operators. */
export async function listIncompleteTitles(limit: number) {
  const rows = await db
    .select({
      malId: titles.malId,
      title: titles.title,
      episodes: titles.episodes,
      last: lastExpected,
      here: sql<number[]>`array_agg(distinct ${episodeSources.episode})`,
    })
    .from(episodeSources)
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .where(and(isPlayableSource(catalogKeeper), isNotNull(episodeSources.filmId), isFileOfFolder))
    .groupBy(titles.malId)
    .having(
      sql`count(distinct ${episodeSources.episode}) filter (where ${episodeSources.episode} <= coalesce(${titles.episodes}, ${episodeSources.episode}))
        < ${lastExpected}`,
    )
    .orderBy(titles.title)
    .limit(limit);
  return rows.map(({ here, last, ...title }) => {
    const present = new Set(here);
    const all = Array.from({ length: last }, (_, index) => index + 1);
    return { ...title, missing: all.filter((episode) => !present.has(episode)) };
  });
}

/**
 * The visible titles whose films arrived in the last month, newest first. Empty for viewers who may not watch films.
 */
export async function listNewestTitles(limit: number, viewer: Viewer): Promise<readonly number[]> {
  if (!seesFilms(viewer)) return [];
  const rows = await db
    .select({ malId: episodeSources.malId })
    .from(films)
    .innerJoin(episodeSources, eq(episodeSources.filmId, films.id))
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .where(
      and(
        visibleTo(viewer),
        isNull(films.goneAt),
        isFileOfFolder,
        sql`${films.arrivedAt} > now() - interval '30 days'`,
      ),
    )
    .groupBy(episodeSources.malId)
    .orderBy(sql`max(${films.arrivedAt}) desc`, episodeSources.malId)
    .limit(limit);
  return rows.map(({ malId }) => malId);
}
