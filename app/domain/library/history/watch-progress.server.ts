import { and, between, eq, type SQL, sql } from "drizzle-orm";
import { mayHaveEpisode } from "#app/domain/catalog/catalog.server.ts";
import { maxMalId, noSuchEpisode, noSuchTitle } from "#app/domain/catalog/catalog.ts";
import { findReplacement } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db, preparedDb, type Transaction, withTransaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchHistory, watchProgress } from "#db/schema/library.ts";
import { isWatched, minWatchedShare } from "../library.ts";
import { isSameEntry } from "../list/entry.ts";
import { applyFields, applyWatched, canComplete, startEntry } from "../list/entry-rules.ts";
import { lockEntries, lockMember, saveEntries } from "../list/list-rows.server.ts";
import { deleteOldest, listWatchedEpisodes, recordsWatching } from "./watch-history.server.ts";

/** Stores resume points. The result does not depend on the order in which progress reports arrive. */

type ProgressReport = { malId: number; episode: number; position: number; duration: number; at: Date };

type ProgressResult = {
  watched: boolean;
  /** The last episode is watched, and the list does not say yet that the title is completed. */
  offersCompleted: boolean;
  /** The report put the title on the list. */
  isAdded: boolean;
  /** The title was To Watch, and the report made it Watching. */
  isMoved: boolean;
  /** The first episode of a completed title is watched. */
  offersRewatch: boolean;
};

const unfinished: ProgressResult = {
  watched: false,
  offersCompleted: false,
  isAdded: false,
  isMoved: false,
  offersRewatch: false,
};

/**
 * Changes the resume point, the history and the list entry together, or none of them. With `changesList`, watching the
 * first episode for the first time puts the title on the list as Watching, and finishing any episode of a title that is
 * To Watch makes it Watching. For members whose watching is not recorded, the refusals are the same and nothing is
 * stored.
 */
export async function reportProgress(
  userId: string,
  report: ProgressReport,
  viewer: Viewer,
  { changesList = false }: { changesList?: boolean } = {},
): Promise<Outcome<ProgressResult>> {
  if (report.malId > maxMalId) return noSuchTitle;
  const replacement = await findReplacement(report.malId);
  if (replacement !== null)
    return reportProgress(userId, { ...report, malId: replacement }, viewer, { changesList });
  if (!isWatched(report.position, report.duration))
    return (await saveReport(preparedDb, userId, report, viewer)) ? done(unfinished) : noSuchEpisode;
  return withTransaction(async (transaction) => {
    // An import locks the list before the history, so the other order could deadlock.
    await lockMember(transaction, userId);
    const title = await saveReport(transaction, userId, report, viewer);
    if (title === null) return noSuchEpisode;
    if (!title.isRemembered) return done(unfinished);
    if (title.isFirstTime) await deleteOldest(watchHistory, userId, transaction);
    return done(
      await tickWatched(transaction, userId, report, {
        episodes: title.episodes,
        mayAdd: changesList && title.isFirstTime && report.episode === 1,
        mayMove: changesList && title.isFinishedNow,
      }),
    );
  });
}

type ReportedTitle = {
  episodes: number | null;
  /** The episode had no resume point. */
  isBegunNow: boolean;
  isFirstTime: boolean;
  /**
   * True if the resume point before this report was not at the end. Reports during the credits therefore do not count
   * as finishing the episode again, which would repeat a change of the list that the member has undone.
   */
  isFinishedNow: boolean;
  /** The member's watching is recorded. The query itself checks this, so that no caller can forget it. */
  isRemembered: boolean;
};

/** `isWatched` in SQL, for the resume point in the table that the query calls `point`. */
export const isWatchedIn = (point: string): SQL =>
  sql.raw(`(${point}.duration > 0 and ${point}.position >= ${point}.duration * ${minWatchedShare})`);

/** Keeps the later of two resume points of an episode: the stored one is `own`, the new one `excluded`. */
export const keepLaterPoint = sql`set position = excluded.position, duration = excluded.duration, at = excluded.at
  where (excluded.at, excluded.position, excluded.duration) > (own.at, own.position, own.duration)`;

/** Keeps the later of two times at which an episode was watched. */
export const keepLaterView = sql`set watched_at = excluded.watched_at where excluded.watched_at > own.watched_at`;

/** Null if the viewer may see no such episode. */
async function saveReport(
  on: Pick<typeof db, "execute">,
  userId: string,
  report: ProgressReport,
  viewer: Viewer,
): Promise<ReportedTitle | null> {
  const title = await writeReport(on, userId, report, viewer);
  if (title?.isBegunNow && title.isRemembered) await deleteOldest(watchProgress, userId, on);
  return title;
}

async function writeReport(
  on: Pick<typeof db, "execute">,
  userId: string,
  { malId, episode, position, duration, at: reportedAt }: ProgressReport,
  viewer: Viewer,
): Promise<ReportedTitle | null> {
  // The latest report wins. One from a clock that is ahead would win over all later ones.
  const at = new Date(Math.min(reportedAt.getTime(), Date.now())).toISOString();
  const [title] = await on.execute<ReportedTitle>(sql`
    with title as (
      select mal_id, episodes, ${recordsWatching(userId)} as is_remembered
      from ${titles}
      where mal_id = ${malId} and ${visibleTo(viewer)} and ${mayHaveEpisode(sql`${episode}::int`)}
    ),
    moved as (
      insert into ${watchProgress} as own (user_id, mal_id, episode, position, duration, at)
      select ${userId}::uuid, mal_id, ${episode}::int, ${position}::float8, ${duration}::float8, ${at}::timestamptz from title where is_remembered
      on conflict (user_id, mal_id, episode) do update ${keepLaterPoint}
    ),
    seen as (
      insert into ${watchHistory} as own (user_id, mal_id, episode, watched_at)
      select ${userId}::uuid, mal_id, ${episode}::int, ${at}::timestamptz from title
      where is_remembered and ${isWatched(position, duration)}::boolean
      on conflict (user_id, mal_id, episode) do update ${keepLaterView}
    )
    select episodes, not exists (
      select from ${watchHistory} where user_id = ${userId}::uuid and mal_id = ${malId} and episode = ${episode}::int
    ) as "isFirstTime", not exists (
      select from ${watchProgress} where user_id = ${userId}::uuid and mal_id = ${malId} and episode = ${episode}::int
    ) as "isBegunNow", not exists (
      select from ${watchProgress} where user_id = ${userId}::uuid and mal_id = ${malId} and episode = ${episode}::int
        and ${isWatchedIn("watch_progress")}
    ) as "isFinishedNow", is_remembered as "isRemembered" from title`);
  return title ?? null;
}

type ListRules = {
  episodes: number | null;
  mayAdd: boolean;
  mayMove: boolean;
};

/** Ticks the episode of a title that is on the list, or that is added now. */
async function tickWatched(
  transaction: Transaction,
  userId: string,
  { malId, episode }: ProgressReport,
  { episodes, mayAdd, mayMove }: ListRules,
): Promise<ProgressResult> {
  const entry = (await lockEntries(transaction, userId, [malId])).get(malId);
  const isAdded = entry === undefined && mayAdd;
  if (entry === undefined && !isAdded) return { ...unfinished, watched: true };
  const before =
    entry ?? startEntry(malId, (await listWatchedEpisodes(userId, [malId], transaction)).get(malId) ?? []);
  const isMoved = mayMove && before.type === "To Watch";
  const started = isMoved ? applyFields(before, { type: "Watching" }, episodes) : before;
  const after = applyWatched(started, episode, episodes);
  if (isAdded || !isSameEntry(before, after))
    await saveEntries(transaction, userId, [{ ...after, updatedAt: null }]);
  return {
    watched: true,
    offersCompleted: episodes !== null && episode >= episodes && canComplete(after, episodes),
    isAdded,
    isMoved,
    offersRewatch: entry?.type === "Completed" && episode === 1,
  };
}

export type StoredResumePoint = { episode: number; position: number; duration: number; at: Date };

/** Where the member stopped in these episodes. An episode that was never played has no resume point. */
export const listResumePoints = (
  userId: string,
  malId: number,
  { first, last }: { first: number; last: number },
): Promise<StoredResumePoint[]> =>
  db
    .select({
      episode: watchProgress.episode,
      position: watchProgress.position,
      duration: watchProgress.duration,
      at: watchProgress.at,
    })
    .from(watchProgress)
    .where(
      and(
        eq(watchProgress.userId, userId),
        eq(watchProgress.malId, malId),
        between(watchProgress.episode, first, last),
      ),
    );
