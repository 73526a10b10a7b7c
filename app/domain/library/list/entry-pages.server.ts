import { type SQL, sql } from "drizzle-orm";
import { kibibytes } from "#app/platform/units.ts";
import { watchList } from "#db/schema/library.ts";

/**
 * Pages of entries are limited by bytes, because a note can have 10,000 characters and a number of entries would not
 * limit a page.
 */

const pageBytes = kibibytes(128);
/** Most entries are short without their notes, and a whole list is read in fewer pages. */
const pageBytesWithoutNotes = kibibytes(768);
export const maxEntriesOfPage = 500;
/** Allowed for an entry's other fields, including the fields of the title that a list shows. */
const otherBytes = 1000;
/** Allowed for each tag beside its text. */
const bytesPerTag = 40;

/**
 * The bytes of one entry. PostgreSQL knows the length of a long note without reading it. `pg_column_size` of the tags
 * would be their compressed size.
 */
const entryBytes = sql.raw(
  `octet_length(array_to_string(tags, '')) + ${bytesPerTag} * cardinality(tags) + 4 * pg_column_size(ticks) + ${otherBytes}`,
);

/**
 * The SQL condition that selects one page of a member's entries. `candidates` selects `mal_id` and `place` of the
 * candidates. The page gets the first candidates by place, as many as fit into its bytes, but at least one.
 */
export const entriesOfPage = (
  candidates: SQL,
  userId: string,
  { hasNotes = true } = {},
): SQL => sql`${watchList.malId} in (
  select mal_id from (
    select mal_id, sum(bytes) over by_place as bytes_so_far, row_number() over by_place as number
    from (
      select mal_id, place, ${entryBytes}${sql.raw(hasNotes ? " + octet_length(notes)" : "")} as bytes
      from (${candidates} order by place limit ${sql.raw(`${maxEntriesOfPage}`)}) as wanted
      join ${watchList} as entry using (mal_id)
      where entry.user_id = ${userId}::uuid
    ) as sized
    window by_place as (order by place)
  ) as counted
  where bytes_so_far <= ${sql.raw(`${hasNotes ? pageBytes : pageBytesWithoutNotes}`)} or number = 1)`;
