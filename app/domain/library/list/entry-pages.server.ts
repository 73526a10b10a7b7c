import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { kibibytes } from "#app/platform/units.ts";
import { rowsWithin } from "#db/rows-within.ts";
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
const entryBytes = sql`octet_length(array_to_string(${watchList.tags}, ''))
  + ${sql.raw(`${bytesPerTag}`)} * cardinality(${watchList.tags}) + 4 * pg_column_size(${watchList.ticks}) + ${sql.raw(`${otherBytes}`)}`;

type Candidates = {
  /** Where the candidates are: a `from` clause with `watchList`, and the conditions. */
  from: SQL;
  place: SQL | AnyColumn;
  hasNotes?: boolean;
};

/**
 * A table with the ids of one page of entries, to join with `isOfPage`. The page gets the first candidates by place, as
 * many as fit into its bytes, but at least one.
 */
export const pageOfEntries = ({ from, place, hasNotes = true }: Candidates): SQL => {
  const bytes = hasNotes ? sql`${entryBytes} + octet_length(${watchList.notes})` : entryBytes;
  const sized = sql`
    select ${watchList.id} as id, ${place} as place, ${bytes} as bytes
    ${from} order by place limit ${sql.raw(`${maxEntriesOfPage}`)}`;
  return sql`${rowsWithin(sized, hasNotes ? pageBytes : pageBytesWithoutNotes)} as page`;
};

export const isOfPage = sql`page.id = ${watchList.id}`;
export const inOrderOfPage = sql`page.place`;
