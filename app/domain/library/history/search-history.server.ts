import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { searchHistory } from "#db/schema/library.ts";

/** What a user searched for, as far as they want it kept: the newest five hundred. */

export const maxSearches = 500;

/**
 * Always adds one, then lets go of what is older than the newest five hundred. False: the user has this turned off,
 * which is asked here so that no caller can forget it.
 */
export async function recordSearch(userId: string, query: string, searchedAt: Date | null): Promise<boolean> {
  const [added] = await db.execute(sql`
    insert into ${searchHistory} (user_id, query, searched_at)
    select id, ${query}, least(coalesce(${searchedAt?.toISOString() ?? null}::timestamptz, now()), now())
    from ${users} where id = ${userId}::uuid and track_search_history
    returning id`);
  if (added) await deleteOldSearches(userId);
  return added !== undefined;
}

/** Rows that another request is letting go of are left to it. */
export const deleteOldSearches = (userId: string, on: Pick<typeof db, "execute"> = db) =>
  on.execute(sql`
    delete from ${searchHistory} where id in (
      select id from ${searchHistory} where id in (
        select id from ${searchHistory} where user_id = ${userId}::uuid
        order by searched_at desc, id desc offset ${maxSearches})
      for update skip locked)`);

export const listSearches = (userId: string, limit: number) =>
  db
    .select({
      id: searchHistory.id,
      userId: searchHistory.userId,
      query: searchHistory.query,
      searchedAt: searchHistory.searchedAt,
    })
    .from(searchHistory)
    .where(eq(searchHistory.userId, userId))
    .orderBy(desc(searchHistory.searchedAt), desc(searchHistory.id))
    .limit(limit);

/** All of them, or the one that is named. */
export async function deleteSearches(userId: string, id?: string): Promise<void> {
  await db
    .delete(searchHistory)
    .where(and(eq(searchHistory.userId, userId), id ? eq(searchHistory.id, id) : undefined));
}
