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

export const isSameEntry = (one: ListEntry, other: ListEntry) =>
  one.malId === other.malId &&
  one.type === other.type &&
  one.progress === other.progress &&
  one.score === other.score &&
  one.notes === other.notes &&
  one.startedOn === other.startedOn &&
  one.finishedOn === other.finishedOn;

/** One title may stand in a file more than once; it meets the list as one. */
export function joinRepeated(entries: readonly ListEntry[]): ListEntry[] {
  const byTitle = new Map<number, ListEntry>();
  for (const entry of entries)
    byTitle.set(entry.malId, mergeEntries(byTitle.get(entry.malId) ?? null, entry, { replaceScores: false }));
  return [...byTitle.values()];
}
