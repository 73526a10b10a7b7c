import type { Viewer } from "#app/domain/catalog/catalog.server.ts";
import { withTransaction } from "#db/client.server.ts";
import { type EntryChange, isSameEntry, type ListEntry, revertEntry } from "./entry.ts";
import {
  createEntries,
  deleteEntries,
  findListedTitles,
  lockEntries,
  updateEntries,
} from "./list-rows.server.ts";

/**
 * Undoes the changes of one edit and returns the names of the titles that it changed. What the member has changed since stays: a notice
 * with Undo can be hours old, and meanwhile another tab or the player can have written to the same entry.
 */
export async function undoChanges(
  userId: string,
  changes: readonly EntryChange[],
  viewer: Viewer,
): Promise<string[]> {
  // The browser sends the undo back and can repeat a title in it.
  const unique = [...new Map(changes.map((change) => [change.malId, change])).values()];
  return withTransaction(async (transaction) => {
    const titles = await findListedTitles(
      transaction,
      unique.map(({ malId }) => malId),
      viewer,
    );
    const known = unique.filter(({ malId }) => titles.get(malId)?.isVisible);
    const current = await lockEntries(
      transaction,
      userId,
      known.map(({ malId }) => malId),
    );
    const { missing, changed, added } = planUndo(known, current);
    const created = await createEntries(transaction, userId, missing);
    await updateEntries(transaction, userId, changed);
    await deleteEntries(transaction, userId, added);
    const undone = [...created, ...changed.map(({ malId }) => malId), ...added];
    return undone.map((malId) => titles.get(malId)?.title ?? "");
  });
}

const isFuture = (time: string) => Date.parse(time) > Date.now();

function planUndo(changes: readonly EntryChange[], current: ReadonlyMap<number, ListEntry>) {
  const missing: Parameters<typeof createEntries>[2][number][] = [];
  const changed: Parameters<typeof updateEntries>[2][number][] = [];
  const added: number[] = [];
  for (const { malId, before, after } of changes) {
    const own = current.get(malId);
    if (after === null) {
      const addedAt = isFuture(before.addedAt) ? null : before.addedAt;
      if (!own) missing.push({ ...before, malId, title: null, addedAt, updatedAt: null });
    } else if (own && before === null) {
      if (isSameEntry(own, { malId, ...after })) added.push(malId);
    } else if (own) {
      const entry = revertEntry(own, { ...own, ...before }, { ...own, ...after });
      if (entry && !isSameEntry(own, entry)) changed.push({ ...entry, updatedAt: null });
    }
  }
  return { missing, changed, added };
}
