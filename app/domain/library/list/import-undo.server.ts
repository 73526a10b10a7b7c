import { randomUUID } from "node:crypto";
import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import { importUndos } from "#db/schema/library.ts";
import { isSameEntry, type ListEntry, newEntry, revertEntry } from "./entry.ts";
import { partsByStoredBytes } from "./entry-pages.server.ts";
import { deleteEntries, lockEntries, lockMember, saveEntries } from "./list-rows.server.ts";
import { ticksUpTo } from "./ticks.ts";

/** Undoes a whole import, except for fields that the member has changed since. */

/** An entry that the import changed. `before` is null when the import added it. */
type ImportedEntry = { before: (ListEntry & { updatedAt: string | null }) | null; after: ListEntry };

const maxUndos = 5;

/** The undo pieces of one import share their id except for its last four digits, which number the pieces. */
const pieceDigits = 4;
const importOfUndo = (id: SQLWrapper) => sql`left(${id}::text, ${sql.raw(`-${pieceDigits}`)})`;

/**
 * Stores the changes of an import for its undo, piece by piece. The id of the first piece identifies the undo. The time
 * of the transaction cannot, because two imports of a member can begin in the same millisecond.
 */
export function createImportUndo(transaction: Transaction, userId: string) {
  const importId = randomUUID().slice(0, -pieceDigits);
  const idOf = (piece: number) => importId + piece.toString(16).padStart(pieceDigits, "0");
  let pieces = 0;
  return {
    async add(imported: readonly ImportedEntry[]): Promise<void> {
      const before = imported.map(({ before, after }): ImportedEntry => ({ before, after }));
      await transaction.insert(importUndos).values({ id: idOf(pieces), userId, before });
      pieces++;
    },
    /** Null if the import changed nothing. */
    id: () => (pieces === 0 ? null : idOf(0)),
  };
}

/** Deletes all but the undos of the newest imports. */
export const deleteOldImportUndos = (transaction: Transaction, userId: string) =>
  transaction.execute(sql`
    delete from ${importUndos} where user_id = ${userId}::uuid and created_at <> now()::timestamptz(3) and created_at not in (
      select distinct created_at from ${importUndos} where user_id = ${userId}::uuid
      order by created_at desc limit ${maxUndos})`);

type RecordedEntry = Partial<ListEntry> & { malId: number; type: ListEntry["type"]; progress?: number };

/** Imports from before ticks and states existed stored only the progress. */
const toEntry = <Kept extends RecordedEntry>({ progress = 0, ...entry }: Kept) => ({
  ...newEntry,
  ...entry,
  ticks: entry.ticks ?? ticksUpTo(progress),
});

const readUndo = (imported: unknown): ImportedEntry[] =>
  (imported as ImportedEntry[]).map(({ before, after }) => ({
    before: before && toEntry(before),
    after: toEntry(after),
  }));

/**
 * Updates the record of an import after a title was replaced by another. The record describes the member's entry of the
 * other title only if the member had the replaced one, and not both, on the list. It omits what it says about any other
 * entry, because the undo must not take away the one that the member has now.
 */
export const moveImported = (
  imported: unknown,
  { from, to, left }: { from: number; to: number; left: "moved" | "merged" | undefined },
) =>
  readUndo(imported).flatMap((one): ImportedEntry[] => {
    const { malId } = one.after;
    if (malId === to) return left === undefined ? [one] : [];
    if (malId !== from) return [one];
    if (left !== "moved") return [];
    return [{ before: one.before && { ...one.before, malId: to }, after: { ...one.after, malId: to } }];
  });

/** An undo works once: it deletes its own rows. */
export async function undoImport(
  userId: string,
  undo: string,
): Promise<Outcome<{ restored: number; removed: number }>> {
  return withTransaction(async (transaction) => {
    await lockMember(transaction, userId);
    const rows = await transaction
      .select({ id: importUndos.id })
      .from(importUndos)
      .where(
        and(
          eq(importUndos.userId, userId),
          sql`${importOfUndo(importUndos.id)} = ${importOfUndo(sql`${undo}::uuid`)}`,
        ),
      );
    if (rows.length === 0)
      return refuse(
        "not_found",
        "This import cannot be undone any more: it was undone already, or later imports replaced it",
      );
    const counts = { restored: 0, removed: 0 };
    for (const { id } of rows) {
      const [found] = await transaction
        .delete(importUndos)
        .where(eq(importUndos.id, id))
        .returning({ before: importUndos.before });
      const imported = readUndo(found?.before ?? []);
      // The entries can have got long notes since the import.
      for await (const part of partsByStoredBytes(
        transaction,
        userId,
        imported,
        ({ after }) => after.malId,
      )) {
        const { restored, removed } = await planUndo(transaction, userId, part);
        await saveEntries(transaction, userId, restored);
        await deleteEntries(transaction, userId, removed);
        counts.restored += restored.length;
        counts.removed += removed.length;
      }
    }
    return done(counts);
  });
}

async function planUndo(transaction: Transaction, userId: string, imported: readonly ImportedEntry[]) {
  const ids = imported.map(({ after }) => after.malId);
  const current = await lockEntries(transaction, userId, ids);
  const restored: (ListEntry & { updatedAt: string | null })[] = [];
  const removed: number[] = [];
  for (const { before, after } of imported) {
    const currentEntry = current.get(after.malId);
    if (!currentEntry) continue;
    const entry = revertEntry(currentEntry, before, after);
    if (entry === null) removed.push(after.malId);
    else if (before && !isSameEntry(currentEntry, entry))
      restored.push({ ...entry, updatedAt: isSameEntry(entry, before) ? before.updatedAt : null });
  }
  return { restored, removed };
}
