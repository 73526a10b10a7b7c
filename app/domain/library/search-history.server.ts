import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { searchHistory } from "#db/schema/library.ts";

/** What a user searched for, as far as they want it kept: the newest five hundred. */

const kept = 500;

/** Always adds one, then lets go of what is older than the newest five hundred. */
export async function recordSearch(userId: string, query: string, searchedAt: Date | null): Promise<void> {
  await db.execute(sql`
    with added as (
      insert into ${searchHistory} (user_id, query, searched_at)
      values (${userId}::uuid, ${query}, coalesce(${searchedAt?.toISOString() ?? null}::timestamptz, now()))
    )
    delete from ${searchHistory} where id in (
      select id from ${searchHistory} where user_id = ${userId}::uuid
      order by searched_at desc, id desc offset ${kept - 1})`);
}

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
