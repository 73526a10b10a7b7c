import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { episodes, titles } from "#db/schema/catalog.ts";
import { watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { largestId } from "../catalog/catalog.ts";
import { done, type Outcome, refuse } from "../errors.ts";
import { isWatched, watchedShare } from "./library.ts";

/** Where a user is in each episode. Reports may arrive in any order and end in the same state. */

export type ProgressReport = { malId: number; episode: number; position: number; duration: number; at: Date };

/** `offersCompleted`: the last episode is seen, and the title stands on the list as something else. */
export type Reported = { watched: boolean; offersCompleted: boolean };

/** One statement: the position, the history and the list entry move together or not at all. */
export async function reportProgress(userId: string, report: ProgressReport): Promise<Outcome<Reported>> {
  const { malId, episode, position, duration } = report;
  if (malId > largestId) return refuse("not_found", "No such anime");
  const watched = isWatched(position, duration);
  // A clock that runs ahead would win for ever.
  const at = new Date(Math.min(report.at.getTime(), Date.now())).toISOString();
  const [found] = await db.execute<{ isLast: boolean; type: string | null }>(sql`
    with title as (
      select mal_id, episodes from ${titles} where mal_id = ${malId} and (
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
  if (!found) return refuse("not_found", "No such episode");
  const { isLast, type } = found;
  return done({ watched, offersCompleted: watched && isLast && type !== null && type !== "Completed" });
}

export type ContinueRow = {
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
 * The latest episode of each title; one that is finished gives way to the next, at the place where that may have been
 * left before, and the last one to nothing.
 */
export async function listContinueWatching(
  userId: string,
  { showMature, limit }: { showMature: boolean; limit: number },
) {
  return db.execute<ContinueRow>(sql`
    with latest as (
      select distinct on (mal_id) mal_id, episode, position, duration, at
      from ${watchProgress} where user_id = ${userId}::uuid order by mal_id, at desc, episode desc
    ),
    next as (
      select mal_id, at,
        case when position >= duration * ${watchedShare}::float8 and duration > 0 then episode + 1 else episode end as ep,
        case when position >= duration * ${watchedShare}::float8 and duration > 0 then 0 else position end as position,
        duration, position >= duration * ${watchedShare}::float8 and duration > 0 as moved_on
      from latest
    )
    select next.mal_id as "malId", titles.title, titles.image_webp as "imageWebp", next.ep,
      episodes.title as "episodeTitle", coalesce(left_off.position, next.position) as position, coalesce(episodes.duration_seconds, next.duration) as duration,
      to_char(next.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
    from next join ${titles} on titles.mal_id = next.mal_id
      left join ${episodes} on episodes.mal_id = next.mal_id and episodes.number = next.ep
      left join ${watchProgress} left_off on next.moved_on and left_off.user_id = ${userId}::uuid
        and left_off.mal_id = next.mal_id and left_off.episode = next.ep
        and (left_off.duration = 0 or left_off.position < left_off.duration * ${watchedShare}::float8)
    where (not next.moved_on or episodes.number is not null or next.ep <= titles.episodes) and (${showMature}::boolean or not titles.is_mature)
    order by next.at desc, next.mal_id limit ${limit}`);
}

export type Place = { position: number; duration: number; at: Date };

/** Where the user left one episode; null: never opened. */
export async function findPlace(userId: string, malId: number, episode: number): Promise<Place | null> {
  const [row] = await db.execute<{ position: number; duration: number; at: string }>(sql`
    select position, duration, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from ${watchProgress} where user_id = ${userId}::uuid and mal_id = ${malId} and episode = ${episode}`);
  return row ? { ...row, at: new Date(row.at) } : null;
}
