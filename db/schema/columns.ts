import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { customType, timestamp } from "drizzle-orm/pg-core";

/** Stored in milliseconds, because the JSON shows milliseconds: a time that is sent and read back stays equal. */
export const timestampColumn = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** Text that is compared bytewise, so that its order does not depend on the machine's locale. */
export const bytewiseText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** `column in ('a', 'b')`. Pass only an enumeration, never input: the words become raw SQL. */
export const isOneOfSql = (column: AnyColumn, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", "))})`;

/** Checks that a column holds a SHA-256 in hex, never the secret itself. */
export const isSha256 = (column: AnyColumn): SQL => sql`${column} ~ '^[0-9a-f]{64}$'`;
