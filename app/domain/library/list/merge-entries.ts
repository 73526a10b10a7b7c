import { listStatuses } from "#db/schema/enumerations.ts";
import type { ListEntry } from "./entry.ts";
import { mapEntryFields } from "./entry-fields.ts";
import { joinTicks } from "./ticks.ts";

/** Merges imported entries into the member's own, and entries of one file that are the same title. */

export type MergeOptions = { replaceScores: boolean };

const statusRank = ({ type }: ListEntry) => listStatuses.indexOf(type);

/**
 * An import loses nothing that the member has: progress never goes down, the later of two list statuses wins, and the
 * member's notes stay. With `replaceScores`, imported scores win. `isUntouched`: the member has not changed the entry
 * since it came from a file, so the file may fill in fields that earlier versions of this site could not store.
 */
export function mergeEntries(
  own: ListEntry | null,
  imported: ListEntry,
  { replaceScores, isUntouched = false }: MergeOptions & { isUntouched?: boolean },
): ListEntry {
  if (own === null) return imported;
  const { type, state } = takesState(own, imported, isUntouched) ? imported : own;
  const fields = mapEntryFields({
    count: (_, name) => Math.max(own[name], imported[name]),
    score: (_, name) => (replaceScores ? (imported[name] ?? own[name]) : (own[name] ?? imported[name])),
    text: (_, name) => own[name] || imported[name],
    tags: ({ maxTags }, name) => [...new Set([...own[name], ...imported[name]])].slice(0, maxTags),
    day: (_, name) => own[name] ?? imported[name],
  });
  return {
    malId: own.malId,
    type,
    state,
    ticks: joinTicks(own.ticks, imported.ticks),
    ...fields,
    rewatchProgress: state === "rewatching" ? fields.rewatchProgress : 0,
  };
}

/** A state that the member has chosen stays, except that an entry on hold or dropped can become completed. */
function takesState(own: ListEntry, imported: ListEntry, isUntouched: boolean): boolean {
  if (own.state !== null) return own.state !== "rewatching" && imported.type === "Completed";
  if (isUntouched && imported.state !== null) {
    // Imports from before states existed stored a rewatch as Completed or Watching.
    const isRewatchOf = imported.state === "rewatching" && own.type === "Completed";
    if (own.type === imported.type || isRewatchOf) return true;
  }
  return statusRank(imported) > statusRank(own);
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
