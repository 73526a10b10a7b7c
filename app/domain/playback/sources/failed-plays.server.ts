import { and, desc, eq, sql } from "drizzle-orm";
import { isShownFilm, type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { failedPlays } from "#db/schema/library.ts";
import { sourceOfPlayableUrl } from "./played-source.ts";

/**
 * Records plays that did not start or broke off, so that operators learn of dead sources. The member is not stored.
 */

type FailedPlay = {
  malId: number;
  episode: number;
  /** The URL that the player loaded. */
  played: string;
  reason: string;
};

const maxFailedPlays = 1000;

/**
 * Keeps only the newest record of each source, and deletes the oldest records over the limit. Ignores sources that the
 * episode does not have for this viewer. Otherwise anybody could fill the list and push out the true records.
 */
export async function recordFailedPlay(
  { malId, episode, played, reason }: FailedPlay,
  viewer: Viewer,
): Promise<void> {
  const source = await findPlayedSource({ malId, episode, played }, viewer);
  if (source === null) return;
  await db.execute(sql`
    with earlier as (
      delete from ${failedPlays} where mal_id = ${malId} and episode = ${episode} and source_url = ${source})
    insert into ${failedPlays} (mal_id, episode, source_url, reason)
    values (${malId}, ${episode}, ${source}, ${reason})`);
  await db.execute(sql`
    delete from ${failedPlays} where id in (select id from ${failedPlays} order by at desc offset ${maxFailedPlays})`);
}

/** The registered URL of the source that the player loaded. */
async function findPlayedSource(
  { malId, episode, played }: Omit<FailedPlay, "reason">,
  viewer: Viewer,
): Promise<string | null> {
  const shown = await db
    .select({ url: episodeSources.url, filmId: episodeSources.filmId })
    .from(episodeSources)
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .where(
      and(
        eq(episodeSources.malId, malId),
        eq(episodeSources.episode, episode),
        visibleTo(viewer),
        isShownFilm(viewer, episodeSources.url),
      ),
    );
  const address = sourceOfPlayableUrl(played);
  // The addresses of a film and of its packaged version contain its id.
  const source = shown.find(
    ({ url, filmId }) => url === address || (filmId !== null && address.includes(`/${filmId}`)),
  );
  return source?.url ?? null;
}

export const listFailedPlays = (limit: number) =>
  db
    .select({
      id: failedPlays.id,
      malId: failedPlays.malId,
      title: titles.title,
      episode: failedPlays.episode,
      source: failedPlays.sourceUrl,
      reason: failedPlays.reason,
      at: failedPlays.at,
    })
    .from(failedPlays)
    .innerJoin(titles, eq(titles.malId, failedPlays.malId))
    .orderBy(desc(failedPlays.at))
    .limit(limit);
