import { and, desc, eq, sql } from "drizzle-orm";
import { type NextPage, pagesByKey } from "#app/platform/pages.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { searchHistory } from "#db/schema/library.ts";

/** The search history of a member who has not turned it off. Only the newest searches are kept. */

export const maxSearches = 500;

/**
 * Adds a search and deletes those beyond `maxSearches`, which can include the added one. The check whether the member has
 * turned the search history off is here, so that no caller can forget it.
 */
export async function recordSearch(
  userId: string,
  query: string,
  searchedAt: Date | null,
): Promise<"recorded" | "turned off" | "too old"> {
  const [added] = await db.execute<{ id: string }>(sql`
    insert into ${searchHistory} (user_id, query, searched_at)
    select id, ${query}, least(coalesce(${searchedAt?.toISOString() ?? null}::timestamptz, now()), now())
    from ${users} where id = ${userId}::uuid and track_search_history
    returning id`);
  if (!added) return "turned off";
  const deleted = await deleteOldSearches(userId);
  return deleted.some(({ id }) => id === added.id) ? "too old" : "recorded";
}

/** `skip locked` leaves out rows that another request is deleting, so that the two do not wait for each other. */
export const deleteOldSearches = (userId: string, on: Pick<typeof db, "execute"> = db) =>
  on.execute<{ id: string }>(sql`
    delete from ${searchHistory} where id in (
      select id from ${searchHistory} where id in (
        select id from ${searchHistory} where user_id = ${userId}::uuid
        order by searched_at desc, id desc offset ${maxSearches})
      for update skip locked)
    returning id`);

type Search = { id: string; userId: string; query: string; searchedAt: Date };
type Position = Pick<Search, "id" | "searchedAt">;

/** `after`: the last search of the page before. */
export const listSearches = (userId: string, limit: number, after?: Position): Promise<Search[]> =>
  db
    .select({
      id: searchHistory.id,
      userId: searchHistory.userId,
      query: searchHistory.query,
      searchedAt: searchHistory.searchedAt,
    })
    .from(searchHistory)
    .where(
      and(
        eq(searchHistory.userId, userId),
        after &&
          sql`(${searchHistory.searchedAt}, ${searchHistory.id}) < (${after.searchedAt.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(searchHistory.searchedAt), desc(searchHistory.id))
    .limit(limit);

/** A search has up to 1,000 characters. */
export const searchesPerPage = 50;

/** The newest searches in pages. */
export function listSearchPages(userId: string, limit: number): NextPage<Search> {
  let left = limit;
  return pagesByKey<Search, Position | undefined>({
    first: undefined,
    keyOf: (row) => row,
    rows: searchesPerPage,
    async select(after) {
      const page = left === 0 ? [] : await listSearches(userId, Math.min(left, searchesPerPage), after);
      left -= page.length;
      return page;
    },
  });
}

/** Deletes all searches, or the one with this id. */
export async function deleteSearches(userId: string, id?: string): Promise<void> {
  await db
    .delete(searchHistory)
    .where(and(eq(searchHistory.userId, userId), id ? eq(searchHistory.id, id) : undefined));
}
