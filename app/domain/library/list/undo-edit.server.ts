import type { TitleNames } from "#app/domain/catalog/catalog.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { withTransaction } from "#db/client.server.ts";
import { type EntryChange, isSameEntry, type ListEntry, revertEntry } from "./entry.ts";
import {
  deleteEntries,
  findListedTitles,
  lockEntries,
  lockExistingTitles,
  lockMember,
  saveEntries,
} from "./list-rows.server.ts";

/** The names of the changed titles, and the numbers of those that are on the list again. */
type UndoneEdit = { titles: TitleNames[]; listedAgain: number[] };

/**
 * Undoes the changes of one edit. Later changes stay: a notice with Undo can be hours old, and another tab or the player
 * may have written to the same entry meanwhile.
 */
export async function undoChanges(
  userId: string,
  changes: readonly EntryChange[],
  viewer: Viewer,
): Promise<UndoneEdit> {
  // The browser sends the undo back and can repeat a title in it.
  const unique = [...new Map(changes.map((change) => [change.malId, change])).values()];
  return withTransaction(async (transaction) => {
    await lockMember(transaction, userId);
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
    // Without the lock, restoring an entry would fail if its title is replaced at the same moment.
    const existing = await lockExistingTitles(
      transaction,
      known.filter(({ after }) => after === null).map(({ malId }) => malId),
    );
    const possible = known.filter(({ malId, after }) => after !== null || existing.has(malId));
    const { restored, added } = planUndo(possible, current);
    await saveEntries(transaction, userId, restored);
    await deleteEntries(transaction, userId, added);
    const changed = [...restored.map(({ malId }) => malId), ...added];
    return {
      titles: changed.flatMap((malId) => titles.get(malId) ?? []),
      listedAgain: restored.flatMap(({ malId }) => (current.has(malId) ? [] : malId)),
    };
  });
}

const isFuture = (time: string) => Date.parse(time) > Date.now();

function planUndo(changes: readonly EntryChange[], current: ReadonlyMap<number, ListEntry>) {
  const restored: Parameters<typeof saveEntries>[2][number][] = [];
  const added: number[] = [];
  for (const { malId, before, after } of changes) {
    const currentEntry = current.get(malId);
    if (after === null) {
      const addedAt = isFuture(before.addedAt) ? null : before.addedAt;
      if (!currentEntry) restored.push({ ...before, malId, addedAt });
    } else if (currentEntry && before === null) {
      if (isSameEntry(currentEntry, { malId, ...after })) added.push(malId);
    } else if (currentEntry) {
      const entry = revertEntry(currentEntry, { ...currentEntry, ...before }, { ...currentEntry, ...after });
      if (entry && !isSameEntry(currentEntry, entry))
        restored.push({ ...entry, addedAt: null, updatedAt: null });
    }
  }
  return { restored, added };
}
