import { sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { db } from "#db/client.server.ts";
import { episodes, titles } from "#db/schema/catalog.ts";
import { watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { isWatched } from "../library.ts";

/** Resume points. Progress reports can arrive in any order, and the result is the same. */

type ProgressReport = { malId: number; episode: number; position: number; duration: number; at: Date };

/** `offersCompleted`: the last episode is watched, and the title is on the list with another status than Completed. */
type ProgressResult = { watched: boolean; offersCompleted: boolean };

/** One statement changes the resume point, the history and the list entry together, or none of them. */
export async function reportProgress(
  userId: string,
  report: ProgressReport,
  viewer: Viewer,
): Promise<Outcome<ProgressResult>> {
  const { malId, episode, position, duration } = report;
  if (malId > maxMalId) return refuse("not_found", "This catalog has no such title");
  const watched = isWatched(position, duration);
  // The latest report wins. One from a clock that is ahead would win over all later ones.
  const at = new Date(Math.min(report.at.getTime(), Date.now())).toISOString();
  const [found] = await db.execute<{ isLast: boolean; type: string | null }>(sql`
    with title as (
      select mal_id, episodes from ${titles}
      where mal_id = ${malId} and ${visibleTo(viewer)} and (
        episodes is null or ${episode}::int <= episodes
        or exists (select from ${episodes} where mal_id = ${malId} and number = ${episode}::int))
    ),
    moved as (
      insert into ${watchProgress} as own (user_id, mal_id, episode, position, duration, at)
      select ${userId}::uuid, mal_id, ${episode}::int, ${position}::float8, ${duration}::float8, ${at}::timestamptz from title
      on conflict (user_id, mal_id, episode) do update
        set position = excluded.position, duration = excluded.duration, at = excluded.at
        where (excluded.at, excluded.position, excluded.duration) > (own.at, own.position, own.duration)
    ),
    seen as (
      insert into ${watchHistory} as own (user_id, mal_id, episode, watched_at)
      select ${userId}::uuid, mal_id, ${episode}::int, ${at}::timestamptz from title where ${watched}::boolean
      on conflict (user_id, mal_id, episode) do update
        set watched_at = excluded.watched_at where excluded.watched_at > own.watched_at
    ),
    listed as (
      update ${watchList} set progress = ${episode}::int, updated_at = clock_timestamp()
      where user_id = ${userId}::uuid and mal_id = ${malId} and progress < ${episode}::int and ${watched}::boolean
    )
    select coalesce(${episode}::int >= episodes, false) as "isLast", own.type
    from title left join ${watchList} as own on own.user_id = ${userId}::uuid and own.mal_id = title.mal_id`);
  if (!found) return refuse("not_found", "This catalog has no such episode");
  const { isLast, type } = found;
  return done({ watched, offersCompleted: watched && isLast && type !== null && type !== "Completed" });
}

type ResumePoint = { position: number; duration: number; at: Date };

/** Null: the member never played this episode. */
export async function findResumePoint(
  userId: string,
  malId: number,
  episode: number,
): Promise<ResumePoint | null> {
  const [row] = await db.execute<{ position: number; duration: number; at: string }>(sql`
    select position, duration, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from ${watchProgress} where user_id = ${userId}::uuid and mal_id = ${malId} and episode = ${episode}`);
  return row ? { ...row, at: new Date(row.at) } : null;
}
