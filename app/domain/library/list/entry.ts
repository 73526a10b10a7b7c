import { listStatuses } from "#db/schema/enumerations.ts";

export type ListStatus = (typeof listStatuses)[number];

/** One title in a watch list, without the title's own data. */
export type ListEntry = {
  malId: number;
  type: ListStatus;
  /** The number of episodes seen. */
  progress: number;
  /** The member's own score, 0 to `maxScore`. */
  score: number | null;
  notes: string;
  /** ISO 8601 date */
  startedOn: string | null;
  finishedOn: string | null;
};

/** An entry as an undo of its removal restores it. */
export type EntryBefore = Omit<ListEntry, "malId"> & { addedAt: string };

type EntryValues = Omit<ListEntry, "malId">;

/** How one edit changed one entry. An undo needs both sides: it keeps what the member has changed since the edit. */
export type EntryChange =
  | { malId: number; before: null; after: EntryValues }
  | { malId: number; before: EntryBefore; after: null }
  /** Both have the same fields: those that the edit changed. */
  | { malId: number; before: Partial<EntryValues>; after: Partial<EntryValues> };

/** In UTF-16 code units, as browsers count `maxlength`. To raise it, also migrate the check `watch_list_notes`. */
export const maxNoteLength = 10_000;
export const maxScore = 10;
export const maxEntriesPerEdit = 100;

/** An entry from a file. Only Engawa's own files say when it was added and changed. */
export type FileEntryWithName = ListEntry & {
  title: string | null;
  addedAt: string | null;
  updatedAt: string | null;
};

export type MergeOptions = { replaceScores: boolean };

const statusRank = (type: ListStatus) => listStatuses.indexOf(type);

/**
 * Merges an imported entry into the member's own. An import loses nothing that the member has: progress never goes down,
 * the later of two list statuses wins, and the member's notes stay. With `replaceScores`, imported scores win.
 */
export function mergeEntries(
  own: ListEntry | null,
  imported: ListEntry,
  { replaceScores }: MergeOptions,
): ListEntry {
  if (own === null) return imported;
  return {
    malId: own.malId,
    type: statusRank(imported.type) > statusRank(own.type) ? imported.type : own.type,
    progress: Math.max(own.progress, imported.progress),
    score: replaceScores ? (imported.score ?? own.score) : (own.score ?? imported.score),
    notes: own.notes === "" ? imported.notes : own.notes,
    startedOn: own.startedOn ?? imported.startedOn,
    finishedOn: own.finishedOn ?? imported.finishedOn,
  };
}

const entryFields = ["type", "progress", "score", "notes", "startedOn", "finishedOn"] as const;
export type EntryField = (typeof entryFields)[number];

export const changedFields = (one: ListEntry, other: ListEntry): EntryField[] =>
  entryFields.filter((field) => one[field] !== other[field]);

/** Null if the edit changed nothing. */
export function toChange(
  malId: number,
  before: EntryBefore | null,
  after: EntryValues | null,
): EntryChange | null {
  if (after === null) return before && { malId, before, after };
  if (before === null) return { malId, before, after };
  const fields = changedFields({ malId, ...before }, { malId, ...after });
  if (fields.length === 0) return null;
  const pick = (entry: EntryValues) => Object.fromEntries(fields.map((field) => [field, entry[field]]));
  return { malId, before: pick(before), after: pick(after) };
}

export const isSameEntry = (one: ListEntry, other: ListEntry) =>
  one.malId === other.malId && changedFields(one, other).length === 0;

/**
 * The entry after undoing an import that changed `before` to `after`. Fields that the member has changed since stay. Null:
 * the import added the entry and the member has not changed it, so it is removed.
 */
export function revertEntry(
  current: ListEntry,
  before: ListEntry | null,
  after: ListEntry,
): ListEntry | null {
  if (before === null) return isSameEntry(current, after) ? null : current;
  const changedSince = new Set(changedFields(after, current));
  const fieldValue = <Field extends EntryField>(field: Field) =>
    changedSince.has(field) ? current[field] : before[field];
  return {
    malId: current.malId,
    type: fieldValue("type"),
    progress: fieldValue("progress"),
    score: fieldValue("score"),
    notes: fieldValue("notes"),
    startedOn: fieldValue("startedOn"),
    finishedOn: fieldValue("finishedOn"),
  };
}

/** A file can contain a title more than once. Its entries are merged into one. */
export function mergeRepeated<Entry extends ListEntry>(entries: readonly Entry[]): Entry[] {
  const byTitle = new Map<number, Entry>();
  for (const entry of entries) {
    const known = byTitle.get(entry.malId);
    byTitle.set(
      entry.malId,
      known ? { ...known, ...mergeEntries(known, entry, { replaceScores: false }) } : entry,
    );
  }
  return [...byTitle.values()];
}
