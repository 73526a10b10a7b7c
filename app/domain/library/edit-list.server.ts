import { maxMalId, noSuchTitle, type TitleNames } from "#app/domain/catalog/catalog.ts";
import { findReplacements } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { noteListedTitles } from "#app/domain/details/details.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import { listWatchedEpisodes } from "./history/watch-history.server.ts";
import {
  type EntryChange,
  isSameEntry,
  type ListEntry,
  maxEntriesPerEdit,
  revertEntry,
  toChange,
} from "./list/entry.ts";
import { applyFields, canComplete, type EntryEdit, startEntry, startsWatching } from "./list/entry-rules.ts";
import {
  deleteEntries,
  findListedTitles,
  lockEntries,
  lockExistingTitles,
  lockMember,
  saveEntries,
} from "./list/list-rows.server.ts";

/** Every edit of a watch list, from a page or the API, goes through `editList`. It returns the undo of the edit. */

export type ListEdit =
  /**
   * Adds the title if it is not on the list. An edit that only unticks an episode adds nothing. With `followsTicks`,
   * ticking an episode of a title that is To Watch makes it Watching. Only pages ask for that: programs change no list
   * status that they do not name.
   */
  | ({ kind: "save"; malId: number; followsTicks?: boolean } & EntryEdit)
  /** Adds the titles that are not on the list. */
  | { kind: "add"; ids: readonly number[]; fields: Pick<EntryEdit, "type" | "state"> }
  /** Changes the titles that are on the list. */
  | { kind: "move"; ids: readonly number[]; fields: Pick<EntryEdit, "type" | "state"> }
  /** Removing a title that is not on the list succeeds. */
  | { kind: "remove"; ids: readonly number[] }
  | { kind: "restore"; changes: readonly EntryChange[] };

export type ListEditResult = {
  undo: EntryChange[];
  /** The names of the titles that the edit changed. */
  titles: TitleNames[];
  /** The type of the saved entry; the state can decide it. Null if the edit saved no single entry. */
  savedType: ListEntry["type"] | null;
  /** Set when the member has seen the last episode and the entry is not Completed. */
  offersCompleted: { malId: number } | null;
};

/**
 * Edits obey visibility too: a title that the viewer may not see cannot be added, and its entry cannot be changed. It can
 * be removed, but the result does not name it, as if it had not been on the list.
 */
export async function editList(
  userId: string,
  edit: ListEdit,
  viewer: Viewer,
): Promise<Outcome<ListEditResult>> {
  const ids = editedIds(edit).filter((malId) => malId <= maxMalId);
  if (ids.length > maxEntriesPerEdit)
    return refuse("invalid", `At most ${maxEntriesPerEdit} titles can be changed at once. Choose fewer.`);
  const replacements = await findReplacements(ids);
  const currentId = (malId: number) => replacements.get(malId) ?? malId;
  if (edit.kind === "restore") {
    const changes = edit.changes.map((change) => ({ ...change, malId: currentId(change.malId) }));
    const { titles, listedAgain } = await undoChanges(userId, changes, viewer);
    noteListedTitles(listedAgain);
    return done({ undo: [], titles, savedType: null, offersCompleted: null });
  }
  const currentIds = ids.map(currentId);
  const written = await withTransaction((transaction) =>
    runEdit(transaction, userId, currentIds, edit, viewer),
  );
  const changes = written.filter(({ isVisible }) => isVisible);
  if (edit.kind === "save" && changes.length === 0) return noSuchTitle;
  noteListedTitles(changes.flatMap(({ malId, before, after }) => (before === null && after ? malId : [])));
  const seen = edit.kind === "save" ? changes.find(isSeenNotCompleted) : undefined;
  return done({
    undo: changes
      .map(({ malId, before, after }) => toChange(malId, before, after))
      .filter((change) => change !== null),
    titles: changes.filter(({ before, after }) => before !== null || after !== null),
    savedType: (edit.kind === "save" && changes[0]?.after?.type) || null,
    offersCompleted: seen ? { malId: seen.malId } : null,
  });
}

type WritingEdit = Exclude<ListEdit, { kind: "restore" }>;

type EntryResult = TitleNames & {
  malId: number;
  episodes: number | null;
  isVisible: boolean;
  before: (ListEntry & { addedAt: string }) | null;
  /** Null if the edit removed the entry or found none. */
  after: ListEntry | null;
};

async function runEdit(
  transaction: Transaction,
  userId: string,
  ids: readonly number[],
  edit: WritingEdit,
  viewer: Viewer,
): Promise<EntryResult[]> {
  await lockMember(transaction, userId);
  const titles = await findListedTitles(transaction, ids, viewer);
  const editable = [...titles.values()].filter(({ isVisible }) => isVisible || edit.kind === "remove");
  const entries = await lockEntries(transaction, userId, malIdsOf(editable));
  const unlisted = editable.flatMap(({ malId }) => (entries.has(malId) ? [] : [malId]));
  const mayAdd = edit.kind === "save" || edit.kind === "add";
  const existing = await lockExistingTitles(transaction, mayAdd ? unlisted : []);
  const watched = await listWatchedEpisodes(userId, [...existing], transaction);
  const written = editable.flatMap((title): EntryResult[] => {
    const { malId } = title;
    const before = entries.get(malId) ?? null;
    if (edit.kind === "remove") return before ? [{ ...title, before, after: null }] : [];
    if (mayAdd && before === null && !existing.has(malId)) return [];
    const started = () => startEntry(malId, watched.get(malId) ?? []);
    if (edit.kind === "save") {
      const entry = before ?? (isUntickAlone(edit) ? null : started());
      const isMoved = edit.followsTicks && before !== null && startsWatching(before, edit);
      const fields = { ...fieldsOf(edit), ...(isMoved && { type: "Watching" as const }) };
      return [{ ...title, before, after: entry && applyFields(entry, fields, title.episodes) }];
    }
    if (edit.kind === "add")
      return before ? [] : [{ ...title, before, after: applyFields(started(), edit.fields, title.episodes) }];
    const after = before && applyFields(before, edit.fields, title.episodes);
    return before && after && !isSameEntry(before, after) ? [{ ...title, before, after }] : [];
  });
  await deleteEntries(transaction, userId, malIdsOf(written.filter(({ after }) => after === null)));
  await saveEntries(
    transaction,
    userId,
    written.flatMap(({ after }) => (after ? [{ ...after, updatedAt: null }] : [])),
  );
  return written;
}

const fieldsOf = ({
  kind: _kind,
  malId: _malId,
  followsTicks: _followsTicks,
  ...fields
}: ListEdit & { kind: "save" }): EntryEdit => fields;

/** An edit that only unticks an episode never adds the title to the list. */
const isUntickAlone = (edit: ListEdit & { kind: "save" }) =>
  edit.untick !== undefined &&
  Object.entries(fieldsOf(edit)).every(([name, value]) => name === "untick" || value === undefined);

const isSeenNotCompleted = ({ episodes, after }: EntryResult) =>
  after !== null && canComplete(after, episodes);

function editedIds(edit: ListEdit): readonly number[] {
  if (edit.kind === "save") return [edit.malId];
  return edit.kind === "restore" ? malIdsOf(edit.changes) : edit.ids;
}

/**
 * Undoes the changes of one edit. Later changes stay: a notice with Undo can be hours old, and another tab or the player
 * may have written to the same entry meanwhile.
 */
async function undoChanges(userId: string, changes: readonly EntryChange[], viewer: Viewer) {
  // The browser sends the undo back and can repeat a title in it.
  const unique = [...new Map(changes.map((change) => [change.malId, change])).values()];
  return withTransaction(async (transaction) => {
    await lockMember(transaction, userId);
    const titles = await findListedTitles(transaction, malIdsOf(unique), viewer);
    const known = unique.filter(({ malId }) => titles.get(malId)?.isVisible);
    const current = await lockEntries(transaction, userId, malIdsOf(known));
    // Without the lock, restoring an entry would fail if its title is replaced at the same moment.
    const existing = await lockExistingTitles(
      transaction,
      malIdsOf(known.filter(({ after }) => after === null)),
    );
    const possible = known.filter(({ malId, after }) => after !== null || existing.has(malId));
    const { restored, added } = planUndo(possible, current);
    await saveEntries(transaction, userId, restored);
    await deleteEntries(transaction, userId, added);
    const changed = [...malIdsOf(restored), ...added];
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
