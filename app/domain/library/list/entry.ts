import type { entryStates, ListStatus } from "#db/schema/enumerations.ts";
import { type EntryFields, emptyFields } from "./entry-fields.ts";
import type { Ticks } from "./ticks.ts";

export type { ListStatus } from "#db/schema/enumerations.ts";

export type EntryState = (typeof entryStates)[number];

/** The choice that people see: a list status, or a state, which implies its list status. */
export type EntryStatus = ListStatus | EntryState;
export const statusOf = ({ type, state }: { type: ListStatus; state: EntryState | null }): EntryStatus =>
  state ?? type;

/** Whether the member watches the title or plans to, and so wants to know of its new episodes. */
export const isFollowed = ({ type, state }: { type: ListStatus; state: EntryState | null }): boolean =>
  (type === "Watching" || type === "To Watch") && state !== "on_hold" && state !== "dropped";

/** One title in a watch list, without the title's own data. `progressOf(ticks)` is its progress. */
export type ListEntry = {
  malId: number;
  type: ListStatus;
  /** `statusOfState` says which `type` goes with it. */
  state: EntryState | null;
  ticks: Ticks;
} & EntryFields;

export const newEntry: Omit<ListEntry, "malId" | "type"> = {
  state: null,
  ticks: [],
  ...emptyFields,
};

type EntryValues = Omit<ListEntry, "malId">;

/** The values with which an undo restores a removed entry. */
type EntryBefore = EntryValues & { addedAt: string };

/** One entry before and after an edit. An undo needs both sides, because it keeps later changes of the member. */
export type EntryChange =
  | { malId: number; before: null; after: EntryValues }
  | { malId: number; before: EntryBefore; after: null }
  /** Both sides contain only the changed fields. */
  | { malId: number; before: Partial<EntryValues>; after: Partial<EntryValues> };

export const maxEntriesPerEdit = 100;

/** An entry from a file. Only Engawa's own files have the times at which it was added and changed. */
export type FileEntryWithName = ListEntry & {
  title: string | null;
  addedAt: string | null;
  updatedAt: string | null;
};

const valueNames = ["type", ...(Object.keys(newEntry) as (keyof typeof newEntry)[])] as const;

const standing = ["type", "state", "rewatchProgress"] as const;

const isSameValue = (one: unknown, other: unknown) =>
  Array.isArray(one) ? `${one}` === `${other}` : one === other;

export const changedFields = (one: ListEntry, other: ListEntry) =>
  valueNames.filter((name) => !isSameValue(one[name], other[name]));

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
 * The entry after undoing an import that changed `before` to `after`. Fields that the member has changed since stay.
 * Returns null, which removes the entry, if the import added it and the member has not changed it.
 */
export function revertEntry(
  current: ListEntry,
  before: ListEntry | null,
  after: ListEntry,
): ListEntry | null {
  if (before === null) return isSameEntry(current, after) ? null : current;
  const changedSince = new Set(changedFields(after, current));
  // A list status and a state must fit each other, so they stay or go together.
  if (standing.some((field) => changedSince.has(field)))
    for (const field of standing) changedSince.add(field);
  const restored = valueNames.filter((field) => !changedSince.has(field));
  return { ...current, ...Object.fromEntries(restored.map((field) => [field, before[field]])) };
}
