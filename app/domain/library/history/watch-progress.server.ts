import { sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { episodes, titles } from "#db/schema/catalog.ts";
import { watchHistory, watchProgress } from "#db/schema/library.ts";
import { isWatched } from "../library.ts";
import { isSameEntry } from "../list/entry.ts";
import { applyWatched, canComplete } from "../list/entry-rules.ts";
import { lockEntries, lockList, saveEntries } from "../list/list-rows.server.ts";

/** Resume points. Progress reports can arrive in any order, and the result is the same. */

type ProgressReport = { malId: number; episode: number; position: number; duration: number; at: Date };

/** `offersCompleted`: the last episode is watched, and the list does not say yet that the title is completed. */
type ProgressResult = { watched: boolean; offersCompleted: boolean };

/** Changes the resume point, the history and the list entry together, or none of them. */
export async function reportProgress(
  userId: string,
  report: ProgressReport,
  viewer: Viewer,
): Promise<Outcome<ProgressResult>> {
  if (report.malId > maxMalId) return refuse("not_found", "This catalog has no such title");
  if (!isWatched(report.position, report.duration))
    return (await saveReport(db, userId, report, viewer))
      ? done({ watched: false, offersCompleted: false })
      : noSuchEpisode;
  return withTransaction(async (transaction) => {
    // An import locks the list before the history, so the other order could deadlock.
    await lockList(transaction, userId);
    const title = await saveReport(transaction, userId, report, viewer);
    if (title === null) return noSuchEpisode;
    const offersCompleted = await tickWatched(transaction, userId, report, title.episodes);
    return done({ watched: true, offersCompleted });
  });
}

const noSuchEpisode = refuse("not_found", "This catalog has no such episode");

/** Null: the viewer may see no such episode. */
async function saveReport(
  on: Pick<typeof db, "execute">,
  userId: string,
  { malId, episode, position, duration, at: reportedAt }: ProgressReport,
  viewer: Viewer,
): Promise<{ episodes: number | null } | null> {
  // The latest report wins. One from a clock that is ahead would win over all later ones.
  const at = new Date(Math.min(reportedAt.getTime(), Date.now())).toISOString();
  const [title] = await on.execute<{ episodes: number | null }>(sql`
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
      select ${userId}::uuid, mal_id, ${episode}::int, ${at}::timestamptz from title
      where ${isWatched(position, duration)}::boolean
      on conflict (user_id, mal_id, episode) do update
        set watched_at = excluded.watched_at where excluded.watched_at > own.watched_at
    )
    select episodes from title`);
  return title ?? null;
}

/** Ticks the episode of a title that is on the list. Returns whether the member can mark the title as Completed now. */
async function tickWatched(
  transaction: Transaction,
  userId: string,
  { malId, episode }: ProgressReport,
  episodes: number | null,
): Promise<boolean> {
  const own = (await lockEntries(transaction, userId, [malId])).get(malId);
  if (own === undefined) return false;
  const after = applyWatched(own, episode, episodes);
  if (!isSameEntry(own, after)) await saveEntries(transaction, userId, [{ ...after, updatedAt: null }]);
  return episodes !== null && episode >= episodes && canComplete(after, episodes);
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
