import { desc, eq, sql } from "drizzle-orm";
import { unrestricted, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { failedPlays } from "#db/schema/library.ts";
import { sourceOfPlayableUrl } from "./played-source.ts";

/**
 * Records plays that did not start or broke off, so that operators learn of dead sources. The member is not stored.
 */

type FailedPlay = { malId: number; episode: number; source: string | null; reason: string };

const maxFailedPlays = 1000;

/** Ignores titles that nobody can watch here, and deletes the oldest records over the limit. */
export async function recordFailedPlay({ malId, episode, source, reason }: FailedPlay): Promise<void> {
  await db.execute(sql`
    insert into ${failedPlays} (mal_id, episode, source_url, reason)
    select mal_id, ${episode}::int, ${source && sourceOfPlayableUrl(source)}, ${reason} 
    from ${titles} where mal_id = ${malId} and ${visibleTo(unrestricted)}`);
  await db.execute(sql`
    delete from ${failedPlays} where id in (select id from ${failedPlays} order by at desc offset ${maxFailedPlays})`);
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
