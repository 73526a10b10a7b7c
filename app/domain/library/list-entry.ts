import { collectionTypes } from "#db/schema/enumerations.ts";

/** A title on somebody's list, as files and merging know it: the catalog has no part in it yet. */
export type CollectionType = (typeof collectionTypes)[number];

export type ListEntry = {
  malId: number;
  type: CollectionType;
  /** Episodes seen. */
  progress: number;
  /** The user's own, 0 to 10; null: none given. */
  score: number | null;
  notes: string;
  /** ISO dates. */
  startedOn: string | null;
  finishedOn: string | null;
};

/** What a change of an entry takes back to. */
export type EntryBefore = Omit<ListEntry, "malId">;

/** An entry as a file tells it: by name too, and, in a file of ours, with the moments it was added and changed. */
export type FiledEntry = ListEntry & {
  title: string | null;
  addedAt: string | null;
  updatedAt: string | null;
};

export type MergeOptions = { replaceScores: boolean };

const rank = (type: CollectionType) => collectionTypes.indexOf(type);

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
    type: rank(imported.type) > rank(own.type) ? imported.type : own.type,
    progress: Math.max(own.progress, imported.progress),
    score: replaceScores ? (imported.score ?? own.score) : (own.score ?? imported.score),
    notes: own.notes === "" ? imported.notes : own.notes,
    startedOn: own.startedOn ?? imported.startedOn,
    finishedOn: own.finishedOn ?? imported.finishedOn,
  };
}

const fields = ["type", "progress", "score", "notes", "startedOn", "finishedOn"] as const;
export type EntryField = (typeof fields)[number];

export const changedFields = (one: ListEntry, other: ListEntry): EntryField[] =>
  fields.filter((field) => one[field] !== other[field]);

export const isSameEntry = (one: ListEntry, other: ListEntry) =>
  one.malId === other.malId && changedFields(one, other).length === 0;

/**
 * What an entry becomes when the import that made `after` of `before` is taken back. What its owner has changed since
 * stays; null: the entry goes, since the import alone brought it.
 */
export function takeBack(current: ListEntry, before: ListEntry | null, after: ListEntry): ListEntry | null {
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
export function joinRepeated<Entry extends ListEntry>(entries: readonly Entry[]): Entry[] {
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
