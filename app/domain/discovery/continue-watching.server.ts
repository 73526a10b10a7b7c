import { sql } from "drizzle-orm";
import { isWatchedIn } from "#app/domain/library/library.server.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";
import { watchProgress } from "#db/schema/library.ts";

type ContinueRow = {
  malId: number;
  title: string;
  imageWebp: string | null;
  ep: number;
  episodeTitle: string | null;
  position: number;
  duration: number;
  updatedAt: string;
};

/**
 * Lists the latest episode of each title, as the specification wants `continueWatching`. Pages show the steps of
 * `next-steps.server.ts` instead. A finished episode is replaced by the next one, at its own resume point if it has one.
 * A title whose last episode is finished is left out.
 */
export async function listContinueWatching(
  userId: string,
  { viewer, limit }: { viewer: Viewer; limit: number },
) {
  return db.execute<ContinueRow>(sql`
    with latest as (
      select distinct on (mal_id) mal_id, episode, position, duration, at
      from ${watchProgress} where user_id = ${userId}::uuid order by mal_id, at desc, episode desc
    ),
    next as (
      select mal_id, at, duration, moved_on, case when moved_on then episode + 1 else episode end as ep,
        case when moved_on then 0 else position end as position
      from (select *, ${isWatchedIn("latest")} as moved_on from latest) as judged
    )
    select next.mal_id as "malId", titles.title, titles.image_webp as "imageWebp", next.ep,
      episodes.title as "episodeTitle", coalesce(left_off.position, next.position) as position, coalesce(episodes.duration_seconds, next.duration) as duration,
      to_char(next.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from next join ${titles} on titles.mal_id = next.mal_id
      left join ${episodes} on episodes.mal_id = next.mal_id and episodes.number = next.ep
      left join ${watchProgress} left_off on next.moved_on and left_off.user_id = ${userId}::uuid
        and left_off.mal_id = next.mal_id and left_off.episode = next.ep
        and not ${isWatchedIn("left_off")}
    where (not next.moved_on or episodes.number is not null or next.ep <= titles.episodes)
      and ${visibleTo(viewer)}
    order by next.at desc, next.mal_id limit ${limit}`);
}
