import { setTimeout } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { pickFields } from "#app/domain/declared-fields.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { Overload } from "#app/platform/limits/current-client.server.ts";
import { intArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { multirangeText } from "#db/schema/columns.ts";
import { importUndos, watchList } from "#db/schema/library.ts";
import type { ListEntry } from "./entry.ts";
import { entryFieldNames } from "./entry-fields.ts";
import { withFittingState } from "./entry-rules.ts";

/** Reads and writes entries of a list. One statement reads or writes many of them. */

/** The columns of a `ListEntry`. */
export const entryColumns = {
  malId: watchList.malId,
  type: watchList.type,
  state: watchList.state,
  ticks: watchList.ticks,
  ...pickFields(watchList, entryFieldNames),
};

type StoredEntry = ListEntry & { addedAt: string; updatedAt: string; isUntouched: boolean };
/** A time that is null or missing becomes the time of the write. An existing entry keeps its `addedAt`. */
type EntryToSave = ListEntry & { addedAt?: string | null; updatedAt?: string | null };

const allLibraries = sql`hashtext('all libraries')`;

/**
 * Serialises transactions that change one member's library, including inserts of new entries. It locks no row: an
 * import holds the lock for up to a minute, and the account's sessions and password must remain changeable.
 */
export const lockMember = (transaction: Pick<Transaction, "execute">, userId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock_shared(${allLibraries}),
    pg_advisory_xact_lock(hashtext('library'), hashtext(${userId}))`);

/** Four seconds, as long as other locks are waited for. */
const maxTries = 160;
const retryMs = 25;

/**
 * Waits until no transaction holds `lockMember`, and keeps others from taking it. It tries again and again: if it waited
 * in PostgreSQL, all members' next changes would wait behind it for as long as an import takes.
 */
export async function lockAllLibraries(transaction: Pick<Transaction, "execute">): Promise<void> {
  for (let tries = 1; ; tries++) {
    const [row] = await transaction.execute<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(${allLibraries}) as taken`,
    );
    if (row?.taken) return;
    if (tries === maxTries) throw new Overload("libraries are being changed");
    await setTimeout(retryMs);
  }
}

/** The ids are one parameter, because PostgreSQL accepts only 65,535 per statement. */
const isOneOf = (column: typeof titles.malId | typeof watchList.malId, ids: readonly number[]) =>
  sql`${column} = any(${intArray(ids)})`;

/** The titles with these ids, by id. Those that the viewer may not see are included, with `isVisible` false. */
export async function findListedTitles(
  reader: Pick<typeof db, "select">,
  ids: readonly number[],
  viewer: Viewer,
) {
  const rows = await reader
    .select({
      malId: titles.malId,
      title: titles.title,
      titleEnglish: titles.titleEnglish,
      titleJapanese: titles.titleJapanese,
      episodes: titles.episodes,
      isVisible: visibleTo(viewer),
    })
    .from(titles)
    .where(isOneOf(titles.malId, ids));
  return new Map(rows.map((row) => [row.malId, row]));
}

/**
 * Locks the titles until the transaction ends, and waits while one of them is being replaced. Returns those that still
 * exist.
 */
export async function lockExistingTitles(
  transaction: Transaction,
  malIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (malIds.length === 0) return new Set();
  const rows = await transaction
    .select({ malId: titles.malId })
    .from(titles)
    .where(isOneOf(titles.malId, malIds))
    .orderBy(titles.malId)
    .for("key share");
  return new Set(rows.map(({ malId }) => malId));
}

/**
 * True if the member has not changed the entry since it was added or imported: its times are then those of one
 * transaction.
 */
const isUntouched = sql<boolean>`${watchList.addedAt} = ${watchList.updatedAt} or exists (
  select from ${importUndos} where ${importUndos.userId} = ${watchList.userId}
    and ${importUndos.createdAt} = ${watchList.updatedAt})`;

const select = (reader: Pick<typeof db, "select">, userId: string, ids: readonly number[]) =>
  reader
    .select({ ...entryColumns, addedAt: watchList.addedAt, updatedAt: watchList.updatedAt, isUntouched })
    .from(watchList)
    .where(and(eq(watchList.userId, userId), isOneOf(watchList.malId, ids)))
    .orderBy(watchList.malId);

type Row = Awaited<ReturnType<typeof select>>[number];
const toStored = ({ addedAt, updatedAt, ...row }: Row): StoredEntry => ({
  ...row,
  addedAt: addedAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
const byTitle = (rows: Row[]): Map<number, StoredEntry> =>
  new Map(rows.map((row) => [row.malId, toStored(row)]));

export const getEntries = async (userId: string, ids: readonly number[]) =>
  byTitle(await select(db, userId, ids));

export const findOwnEntry = async (userId: string, malId: number): Promise<StoredEntry | null> =>
  (await getEntries(userId, [malId])).get(malId) ?? null;

export const lockEntries = async (transaction: Transaction, userId: string, ids: readonly number[]) =>
  byTitle(await select(transaction, userId, ids).for("update", { of: watchList }));

const commaSeparated = (texts: readonly string[]) => sql.raw(texts.join(", "));

/** The columns of a `ListEntry`, with the names of its fields in a record. */
const written = Object.entries(entryColumns).map(([name, column]) => ({
  column: column.name,
  field: `"${name}"`,
  type: column.getSQLType(),
}));
const writtenColumns = commaSeparated(written.map(({ column }) => column));
const writtenFields = commaSeparated(written.map(({ field }) => field));
const writtenTypes = commaSeparated(written.map(({ field, type }) => `${field} ${type}`));
const replacedColumns = commaSeparated(written.map(({ column }) => `${column} = excluded.${column}`));

/** Adds or replaces entries. `lockMember` must have been called, or an edit between reading and writing is lost. */
export async function saveEntries(
  transaction: Transaction,
  userId: string,
  entries: readonly EntryToSave[],
): Promise<void> {
  const records = entries.map((entry) => ({
    ...withFittingState(entry),
    ticks: multirangeText(entry.ticks),
  }));
  if (records.length === 0) return;
  await transaction.execute(sql`
    insert into ${watchList} (user_id, ${writtenColumns}, added_at, updated_at)
    select ${userId}::uuid, ${writtenFields}, coalesce("addedAt", now()), coalesce("updatedAt", now())
    from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb)
      as entry(${writtenTypes}, "addedAt" timestamptz, "updatedAt" timestamptz)
    on conflict (user_id, mal_id) do update set ${replacedColumns}, updated_at = excluded.updated_at`);
}

export async function deleteEntries(transaction: Transaction, userId: string, ids: readonly number[]) {
  if (ids.length === 0) return;
  await transaction.delete(watchList).where(and(eq(watchList.userId, userId), isOneOf(watchList.malId, ids)));
}
