import { and, eq, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import type { FileEntryWithName, ListEntry } from "./entry.ts";

/** Reads and writes many entries of a list, each with one statement. */

/** The columns of a `ListEntry`. */
export const entryColumns = {
  malId: watchList.malId,
  type: watchList.type,
  progress: watchList.progress,
  score: watchList.score,
  notes: watchList.notes,
  startedOn: watchList.startedOn,
  finishedOn: watchList.finishedOn,
};

/** `updatedAt` null: the time of the write. */
type TimedEntry = ListEntry & { updatedAt: string | null };

/** Makes imports of one member wait for each other. `no key update` does not block inserts that reference the user's row. */
export const lockImports = (transaction: Transaction, userId: string) =>
  transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");

/** The ids are one parameter, because PostgreSQL accepts only 65,535 per statement. */
export const isOneOf = (column: typeof titles.malId | typeof watchList.malId, ids: readonly number[]) =>
  sql`${column} = any(${`{${ids.join(",")}}`}::int[])`;

/** What an import needs to know of the titles in its file, also of those that the viewer may not see. */
export async function findListedTitles(
  reader: Pick<typeof db, "select">,
  ids: readonly number[],
  viewer: Viewer,
) {
  const rows = await reader
    .select({
      malId: titles.malId,
      title: titles.title,
      episodes: titles.episodes,
      isVisible: visibleTo(viewer),
    })
    .from(titles)
    .where(isOneOf(titles.malId, ids));
  return new Map(rows.map((row) => [row.malId, row]));
}

const select = (reader: Pick<typeof db, "select">, userId: string, ids: readonly number[]) =>
  reader
    .select({ ...entryColumns, updatedAt: watchList.updatedAt })
    .from(watchList)
    .where(and(eq(watchList.userId, userId), isOneOf(watchList.malId, ids)))
    .orderBy(watchList.malId);

type Row = Awaited<ReturnType<typeof select>>[number];
const byTitle = (rows: Row[]): Map<number, TimedEntry> =>
  new Map(rows.map((row) => [row.malId, { ...row, updatedAt: row.updatedAt.toISOString() }]));

export const findEntries = async (userId: string, ids: readonly number[]) =>
  byTitle(await select(db, userId, ids));

export const lockEntries = async (transaction: Transaction, userId: string, ids: readonly number[]) =>
  byTitle(await select(transaction, userId, ids).for("update"));

const recordset = sql`(
  "malId" int, type text, progress int, score float8, notes text, "startedOn" date, "finishedOn" date,
  "addedAt" timestamptz, "updatedAt" timestamptz)`;

const records = (entries: readonly object[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb) as entry${recordset}`;

/** Adds the entries that are not on the list, and returns their ids. */
export async function createEntries(
  transaction: Transaction,
  userId: string,
  entries: readonly FileEntryWithName[],
): Promise<Set<number>> {
  const added = await transaction.execute<{ malId: number }>(sql`
    insert into ${watchList}
      (user_id, mal_id, type, progress, score, notes, started_on, finished_on, added_at, updated_at)
    select ${userId}::uuid, "malId", type, progress, score, notes, "startedOn", "finishedOn",
      coalesce("addedAt", now()), coalesce("updatedAt", now())
    from ${records(entries)}
    on conflict (user_id, mal_id) do nothing
    returning mal_id as "malId"`);
  return new Set(added.map(({ malId }) => malId));
}

export async function updateEntries(
  transaction: Transaction,
  userId: string,
  entries: readonly TimedEntry[],
) {
  await transaction.execute(sql`
    update ${watchList} as own set
      type = entry.type, progress = entry.progress, score = entry.score, notes = entry.notes,
      started_on = entry."startedOn", finished_on = entry."finishedOn",
      updated_at = coalesce(entry."updatedAt", now())
    from ${records(entries)}
    where own.user_id = ${userId}::uuid and own.mal_id = entry."malId"`);
}

export async function deleteEntries(transaction: Transaction, userId: string, ids: readonly number[]) {
  await transaction.delete(watchList).where(and(eq(watchList.userId, userId), isOneOf(watchList.malId, ids)));
}
