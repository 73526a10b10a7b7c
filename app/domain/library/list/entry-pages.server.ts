import { type SQL, sql } from "drizzle-orm";
import { kibibytes } from "#app/platform/units.ts";
import { watchList } from "#db/schema/library.ts";

/** Pages of entries by their bytes: a note has up to 10,000 characters, so no number of entries bounds a page. */

const pageBytes = kibibytes(128);
export const maxEntriesOfPage = 500;
/** An entry without its note, tags and ticks, and what a list says of its title. */
const otherBytes = 1000;

/** The bytes of one entry. PostgreSQL knows the length of a long note without reading it. */
const entryBytes = sql`octet_length(notes) + pg_column_size(tags) + 4 * pg_column_size(ticks) + ${sql.raw(`${otherBytes}`)}`;

/**
 * The condition of a query for one page of a member's entries. `wanted` selects `mal_id` and `place` of those that may be on
 * it. The page has the first of them by place, as many as fit into `pageBytes`, and at least one.
 */
export const entriesOfPage = (wanted: SQL, userId: string): SQL => sql`${watchList.malId} in (
  select mal_id from (
    select mal_id, sum(bytes) over by_place as bytes_so_far, row_number() over by_place as number
    from (
      select mal_id, place, ${entryBytes} as bytes
      from (${wanted} order by place limit ${sql.raw(`${maxEntriesOfPage}`)}) as wanted
      join ${watchList} as entry using (mal_id)
      where entry.user_id = ${userId}::uuid
    ) as sized
    window by_place as (order by place)
  ) as counted
  where bytes_so_far <= ${sql.raw(`${pageBytes}`)} or number = 1)`;
