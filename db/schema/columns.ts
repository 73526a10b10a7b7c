import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { customType, type ExtraConfigColumn, timestamp } from "drizzle-orm/pg-core";

/** Millisecond precision, as in JSON: a time that a client reads and sends back still equals the stored one. */
export const timestampColumn = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** Text that is compared bytewise, so that its order does not depend on the machine's locale. */
export const bytewiseText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** An index column in the order of `desc` in queries. PostgreSQL cannot use drizzle's own `desc()`, nulls last, for it. */
export const descending = (column: ExtraConfigColumn) => column.desc().nullsFirst();

type Run = readonly [first: number, last: number];

/** Writes runs as PostgreSQL's multirange: `[[1, 12], [14, 14]]` is `{[1,13),[14,15)}`. */
export const multirangeText = (runs: readonly Run[]) =>
  `{${runs.map(([first, last]) => `[${first},${last + 1})`).join(",")}}`;

/** A set of numbers, as ascending runs that neither overlap nor touch. */
export const numberRuns = customType<{ data: readonly Run[]; driverData: string }>({
  dataType: () => "int4multirange",
  toDriver: multirangeText,
  fromDriver: (text) =>
    [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, first, end]): Run => [Number(first), Number(end) - 1]),
});

/** `column in ('a', 'b')`. Pass only an enumeration, never input: the words become raw SQL. */
export const isOneOfSql = (column: AnyColumn, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", "))})`;

/** Checks that a column holds a SHA-256 in hex, never the secret itself. */
export const isSha256 = (column: AnyColumn): SQL => sql`${column} ~ '^[0-9a-f]{64}$'`;
