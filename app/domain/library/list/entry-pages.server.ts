import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import { kibibytes } from "#app/platform/units.ts";
import { intArray } from "#db/arrays.ts";
import type { db } from "#db/client.server.ts";
import { rowsWithin } from "#db/rows-within.ts";
import { watchList } from "#db/schema/library.ts";

/**
 * Pages of entries are limited by bytes, because a note can have 10,000 characters and a number of entries would not
 * limit a page.
 */

const pageBytes = kibibytes(128);
export const maxEntriesOfPage = 500;
/** Allowed for an entry's other fields, including the fields of the title that a list shows. */
const otherBytes = 1000;
/** Allowed for each tag beside its text. */
const bytesPerTag = 40;

/** The bytes of an entry's tags and ticks. `pg_column_size` of the tags would be their compressed size. */
const tagAndTickBytes = sql`octet_length(array_to_string(${watchList.tags}, ''))
  + ${sql.raw(`${bytesPerTag}`)} * cardinality(${watchList.tags}) + 4 * pg_column_size(${watchList.ticks})`;
/** PostgreSQL knows the length of a long note without reading it. */
const noteBytes = sql`octet_length(${watchList.notes})`;

/**
 * The number of candidates for the page after one with so many entries. PostgreSQL reads the tags of all candidates to
 * add up their bytes, so 500 candidates of a page with room for 20 would cost many times as much as the page.
 */
export const candidatesAfter = (entries: number): number => Math.min(maxEntriesOfPage, 2 * entries + 10);

type Candidates = {
  /** Where the candidates are: a `from` clause with `watchList`, and the conditions. */
  from: SQL;
  place: SQL | AnyColumn;
  count?: number;
  /** False if the page reads neither notes nor tags. Its entries are short, so only their number limits it. */
  hasTexts?: boolean;
};

/**
 * A table with the ids of one page of entries, to join with `isOfPage`. The page gets the first candidates by place, as
 * many as fit into its bytes, but at least one.
 */
export const pageOfEntries = ({
  from,
  place,
  count = maxEntriesOfPage,
  hasTexts = true,
}: Candidates): SQL => {
  const bytes = hasTexts ? sql`${tagAndTickBytes} + ${noteBytes} + ${sql.raw(`${otherBytes}`)}` : sql`0`;
  const sized = sql`
    select ${watchList.id} as id, ${place} as place, ${bytes} as bytes
    ${from} order by place limit ${count}::int`;
  return sql`${rowsWithin(sized, pageBytes)} as page`;
};

export const isOfPage = sql`page.id = ${watchList.id}`;
export const inOrderOfPage = sql`page.place`;

/**
 * Cuts imported entries into parts whose stored entries fit into the bytes of a page. An entry of a few bytes in a file
 * can belong to a stored one with a long note. If the stored entry alone has more bytes, its entry is a
 * part by itself.
 */
export async function* partsByStoredBytes<Entry>(
  reader: Pick<typeof db, "select">,
  userId: string,
  entries: readonly Entry[],
  malIdOf: (entry: Entry) => number,
): AsyncGenerator<Entry[]> {
  const stored = await reader
    .select({ malId: watchList.malId, bytes: sql<number>`${tagAndTickBytes} + ${noteBytes}` })
    .from(watchList)
    .where(
      and(eq(watchList.userId, userId), sql`${watchList.malId} = any(${intArray(entries.map(malIdOf))})`),
    );
  const bytesOf = new Map(stored.map(({ malId, bytes }) => [malId, bytes]));
  let part: Entry[] = [];
  let partBytes = 0;
  for (const entry of entries) {
    const bytes = bytesOf.get(malIdOf(entry)) ?? 0;
    if (part.length > 0 && partBytes + bytes > pageBytes) {
      yield part;
      part = [];
      partBytes = 0;
    }
    part.push(entry);
    partBytes += bytes;
  }
  if (part.length > 0) yield part;
}
