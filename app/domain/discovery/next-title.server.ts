import { type SQL, sql } from "drizzle-orm";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { passedOverMarks } from "#app/domain/franchises/franchises.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { franchiseTitles } from "#db/schema/franchises.ts";
import { watchList } from "#db/schema/library.ts";

/** Finds the title that follows another one in the story: its page, its end card and home's cards. */

type Watcher = { userId: string | null; viewer: Viewer };

/**
 * The id of the title that follows in the order of the story, as SQL; null when there is none that the viewer may see.
 * Summaries, specials and a part that the given title tells too are passed over, unless the member has put them on the list
 * to watch them. After a part that is no other version itself, other versions come last, with the same exception. What
 * has not begun to air comes after all that has. `orderedFirstBy` is a part of `order by` that ends in a comma.
 */
export const nextTitleIdOf = (
  malId: SQL,
  { userId, viewer }: Watcher,
  orderedFirstBy: SQL = sql``,
): SQL<number | null> => {
  const isPlanned = sql`exists (
    select from ${watchList} where user_id = ${userId}::uuid and mal_id = part.mal_id and type = 'To Watch')`;
  return sql`(
  select part.mal_id from ${franchiseTitles} own
    join ${franchiseTitles} part on part.franchise_id = own.franchise_id and part.story > own.story
    join ${titles} sequel on sequel.mal_id = part.mal_id and ${visibleTo(viewer, "sequel")}
  where own.mal_id = ${malId}
    and ((part.mark not in ${passedOverMarks} and part.told_by is distinct from own.mal_id) or ${isPlanned})
  order by ${orderedFirstBy} sequel.airs_from > now(),
    part.mark = 'alternative' and own.mark <> 'alternative' and not ${isPlanned}, part.story limit 1)`;
};

/**
 * The title that an end card shows as the next one, and a title's page if no part of its franchise is left: the first
 * one after it that the member has neither completed, dropped nor put on hold, or else the first one after it. Null
 * when no title follows that the viewer may see.
 */
export async function findNextTitle(malId: number, watcher: Watcher): Promise<Title | null> {
  const openFirst = sql`exists (select from ${watchList} where user_id = ${watcher.userId}::uuid and mal_id = part.mal_id
    and (type = 'Completed' or state in ('dropped', 'on_hold'))),`;
  const [row] = await db.execute<{ id: number | null }>(
    sql`select ${nextTitleIdOf(sql`${malId}::int`, watcher, openFirst)} as id`,
  );
  if (row?.id == null) return null;
  return (await listTitlesById([row.id], watcher.viewer))[0] ?? null;
}
