import { listStatuses } from "#db/schema/enumerations.ts";

/** A title on somebody's list, as files and merging know it: the catalog has no part in it yet. */
export type ListStatus = (typeof listStatuses)[number];

export type ListEntry = {
  malId: number;
  type: ListStatus;
  /** Episodes seen. */
  progress: number;
  /** The user's own, 0 to `maxScore`; null: none given. */
  score: number | null;
  notes: string;
  /** ISO dates. */
  startedOn: string | null;
  finishedOn: string | null;
};

/** An entry as an undo restores it. */
export type EntryBefore = Omit<ListEntry, "malId"> & { addedAt: string };

/** In UTF-16 code units, as browsers count `maxlength`. A higher number needs a migration of `watch_list_notes`. */
export const maxNoteLength = 10_000;
export const maxScore = 10;
/** What one edit may change at once, and so what one page of the list shows. */
export const maxEntriesPerEdit = 100;

/** An entry as a file tells it: by name too, and, in a file of ours, with the moments it was added and changed. */
export type FileEntryWithName = ListEntry & {
  title: string | null;
  addedAt: string | null;
  updatedAt: string | null;
};

export type MergeOptions = { replaceScores: boolean };

const statusRank = (type: ListStatus) => listStatuses.indexOf(type);

/**
 * What an entry becomes when an imported one meets it. Nothing a user has is lost by an import: progress never
 * goes down, of two types the further one wins, and what the user wrote or scored stays unless asked otherwise.
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

export const isSameEntry = (one: ListEntry, other: ListEntry) =>
  one.malId === other.malId && changedFields(one, other).length === 0;

/**
 * What an entry becomes when the import that made `after` of `before` is taken back. What its owner has changed since
 * stays; null: the entry goes, since the import alone brought it.
 */
export function revertEntry(
  current: ListEntry,
  before: ListEntry | null,
  after: ListEntry,
): ListEntry | null {
  if (before === null) return isSameEntry(current, after) ? null : current;
  const since = new Set(changedFields(after, current));
  const own = <Field extends EntryField>(field: Field) => (since.has(field) ? current[field] : before[field]);
  return {
    malId: current.malId,
    type: own("type"),
    progress: own("progress"),
    score: own("score"),
    notes: own("notes"),
    startedOn: own("startedOn"),
    finishedOn: own("finishedOn"),
  };
}

/** One title may stand in a file more than once; it meets the list as one. */
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
