import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { currentIdOf } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { intArray } from "#db/arrays.ts";
import { db, preparedDb, type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";
import { trackChoices, watchHistory, watchList, watchProgress } from "#db/schema/library.ts";
import { lockMember } from "../list/list-rows.server.ts";
import { maxTickRuns, type Ticks } from "../list/ticks.ts";

/** The episodes that a member has watched, newest first. */

/**
 * The end of the previous page. Several episodes can share an instant; `episode` is the last one that was shown.
 * Without it, all episodes of that instant count as shown.
 */
export type HistoryEnd = { at: Date; episode: { malId: number; ep: number } | null };

type HistoryPage = { before?: HistoryEnd | undefined; limit: number; viewer: Viewer };

function isAfter({ at, episode }: HistoryEnd): SQL {
  const instant = sql`${at.toISOString()}::timestamptz`;
  const { watchedAt, malId, episode: number } = watchHistory;
  if (episode === null) return sql`${watchedAt} < ${instant}`;
  return sql`${watchedAt} <= ${instant} and (${watchedAt} < ${instant} or ${malId} > ${episode.malId}::int
    or (${malId} = ${episode.malId}::int and ${number} < ${episode.ep}::int))`;
}

export const listWatchHistory = (userId: string, { before, limit, viewer }: HistoryPage) =>
  db
    .select({
      malId: watchHistory.malId,
      title: titles.title,
      titleEnglish: titles.titleEnglish,
      titleJapanese: titles.titleJapanese,
      imageUrl: titles.imageUrl,
      imageWebp: titles.imageWebp,
      imageLargeWebp: titles.imageLargeWebp,
      ep: watchHistory.episode,
      episodes: titles.episodes,
      episodeTitle: episodes.title,
      watchedAt: watchHistory.watchedAt,
    })
    .from(watchHistory)
    .innerJoin(titles, eq(titles.malId, watchHistory.malId))
    .leftJoin(
      episodes,
      and(eq(episodes.malId, watchHistory.malId), eq(episodes.number, watchHistory.episode)),
    )
    .where(and(eq(watchHistory.userId, userId), before && isAfter(before), visibleTo(viewer)))
    .orderBy(desc(watchHistory.watchedAt), watchHistory.malId, desc(watchHistory.episode))
    .limit(limit);

/** Locks the member first. Imports and progress reports write the same tables in another order and could deadlock. */
const deleteInTurn = (userId: string, statement: SQL): Promise<void> =>
  withTransaction(async (transaction) => {
    await lockMember(transaction, userId);
    await transaction.execute(statement);
  });

type WatchedSelection = { malId?: number | undefined; episode?: number | undefined };

/**
 * Deletes the whole history, that of one title, or that of one episode. It deletes the resume points too, or "Continue
 * watching" would still show these episodes. Deleting a title's whole history also deletes the tracks chosen for it,
 * because they reveal that it was watched.
 */
export async function deleteWatchHistory(
  userId: string,
  { malId: namedId, episode }: WatchedSelection,
): Promise<void> {
  if (namedId !== undefined && namedId > maxMalId) return;
  const malId = namedId && (await currentIdOf(namedId));
  const selected = sql`user_id = ${userId}::uuid
    and (${malId ?? null}::int is null or mal_id = ${malId ?? null}::int)`;
  const selectedEpisodes = sql`${selected} and (${episode ?? null}::int is null or episode = ${episode ?? null}::int)`;
  await deleteInTurn(
    userId,
    sql`
    with history as (delete from ${watchHistory} where ${selectedEpisodes}),
      choices as (delete from ${trackChoices} where ${selected} and ${episode ?? null}::int is null)
    delete from ${watchProgress} where ${selectedEpisodes}`,
  );
}

/** Deletes the history between two times, and the resume points of those episodes. */
export async function deleteWatchHistoryBetween(
  userId: string,
  { from, until }: { from: Date; until: Date },
): Promise<void> {
  await deleteInTurn(
    userId,
    sql`
    with history as (
      delete from ${watchHistory} where user_id = ${userId}::uuid
        and watched_at >= ${from.toISOString()}::timestamptz and watched_at < ${until.toISOString()}::timestamptz
      returning mal_id, episode
    )
    delete from ${watchProgress} using history
    where user_id = ${userId}::uuid and watch_progress.mal_id = history.mal_id and watch_progress.episode = history.episode`,
  );
}

/**
 * The SQL condition that this profile's watching is recorded. Each insert contains it, so that no caller can forget it.
 */
export const recordsWatching = (userId: string): SQL =>
  sql`exists (select from ${users} where id = ${userId}::uuid and not forgets_watched)`;

/**
 * The most episodes in a profile's history, and the most resume points. Nobody watches as many, but a file can name more,
 * and pages read all of them.
 */
export const maxWatchedEpisodes = 100_000;

/** A statement deletes at most so many rows, so that it is short. */
export const maxDeletedAtOnce = 20_000;

/**
 * Deletes the oldest rows beyond `maxWatchedEpisodes`, but at most `maxDeletedAtOnce` a call, and returns how many it
 * deleted. Call it after rows were added, but not after every few: it counts the member's whole history. It skips locked
 * rows: if it waited for them, it could deadlock with an import.
 *
 * The rows to delete are one array. With `in`, PostgreSQL looks for them again for each row of a member who has more rows
 * than its statistics know.
 */
export async function deleteOldest(
  table: typeof watchHistory | typeof watchProgress,
  userId: string,
  on: Pick<typeof db, "execute">,
): Promise<number> {
  const time = sql.raw(table === watchHistory ? "watched_at" : "at");
  const deleted = await on.execute(sql`
    with newest_deleted as materialized (
      select ${time} as time, mal_id, episode from ${table} where user_id = ${userId}::uuid
      order by ${time} desc, mal_id desc, episode desc offset ${maxWatchedEpisodes}::int limit 1)
    delete from ${table} where ctid = any(array(
      select own.ctid from newest_deleted as newest join ${table} as own on user_id = ${userId}::uuid
        and (own.${time}, own.mal_id, own.episode) <= (newest.time, newest.mal_id, newest.episode)
      limit ${maxDeletedAtOnce}::int for update of own skip locked))
    returning 1`);
  return deleted.length;
}

/**
 * The watched episodes of each title, as a table of `mal_id` and `ticks` with the limit of `joinTicks`. PostgreSQL joins
 * the episodes, because the history can have a row for each of 100,000 episodes of a title.
 */
const watchedTicks = (userId: string, malIds: readonly number[]) => sql`(
  select mal_id, case when (select count(*) from unnest(runs)) > ${maxTickRuns}::int
    then int4multirange(int4range(1, upper(runs))) else runs end as ticks
  from (
    select mal_id, range_agg(int4range(episode, episode + 1)) as runs from ${watchHistory}
    where user_id = ${userId}::uuid and mal_id = any(${intArray(malIds)}) group by mal_id
  ) as joined
) as watched`;

const ticksOfWatched = sql`watched.ticks`.mapWith(watchList.ticks);

/** The watched episodes of each title. Titles without any are missing. */
export async function listWatchedEpisodes(
  userId: string,
  malIds: readonly number[],
  transaction: Transaction,
): Promise<ReadonlyMap<number, Ticks>> {
  if (malIds.length === 0) return new Map();
  const rows = await transaction
    .select({ malId: sql<number>`watched.mal_id`, ticks: ticksOfWatched })
    .from(watchedTicks(userId, malIds));
  return new Map(rows.map(({ malId, ticks }) => [malId, ticks]));
}

/**
 * The episodes that pages show as seen: those ticked on the list, or those watched while the title is not on it. Also
 * returns the note of the list entry.
 */
export async function getSeenAndNote(userId: string, malId: number): Promise<{ seen: Ticks; notes: string }> {
  const [found] = await preparedDb
    .select({ ticks: watchList.ticks, watched: ticksOfWatched, notes: watchList.notes })
    .from(users)
    .leftJoin(watchList, and(eq(watchList.userId, users.id), eq(watchList.malId, malId)))
    .leftJoin(watchedTicks(userId, [malId]), sql`true`)
    .where(eq(users.id, userId));
  return { seen: found?.ticks ?? found?.watched ?? [], notes: found?.notes ?? "" };
}
