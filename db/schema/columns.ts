import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { customType, timestamp } from "drizzle-orm/pg-core";

/** What several nouns' tables are built from. */

/** A moment, kept to the millisecond that the wire shows. */
export const timestampColumn = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** Text compared byte by byte: the same order and the same index on every machine, whatever its locale. */
export const bytewiseText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** `column in ('a', 'b')`, from one of the enumerations. Their words are ours, never a user's. */
export const isOneOfSql = (column: AnyColumn, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", "))})`;

/** A SHA-256 in hex: what is kept of a secret. */
export const isSha256 = (column: AnyColumn): SQL => sql`${column} ~ '^[0-9a-f]{64}$'`;
