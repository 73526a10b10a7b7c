import { listStatuses } from "#db/schema/enumerations.ts";
import { type ListStatus, maxEntriesPerEdit } from "./entry.ts";

/** Selects one page of a watch list, with one list status and one order. */

export type ListOrder = "updated" | "title" | "score" | "progress";
type ListSelection = { type: ListStatus | null; order: ListOrder; page: number };

type Listable = {
  type: ListStatus;
  progress: number;
  score: number | null;
  /** Null while the number of episodes is unknown. */
  episodes: number | null;
};

/** A member can select every row of a page and change them in one edit. */
const entriesPerPage = maxEntriesPerEdit;

export const countByStatus = (entries: readonly { type: ListStatus }[]) =>
  Object.fromEntries(
    listStatuses.map((type) => [type, entries.filter((entry) => entry.type === type).length]),
  ) as Record<ListStatus, number>;

/** A started title with an unknown number of episodes counts as half seen. */
const shareSeen = ({ progress, episodes }: Listable) =>
  episodes ? progress / episodes : progress > 0 ? 0.5 : 0;

type Comparer<Entry> = (a: Entry, b: Entry) => number;

/** `sortKeyOf` returns the key of the name in the member's title language, which the order must follow. */
function comparerOf<Entry extends Listable>(
  order: ListOrder,
  sortKeyOf: (entry: Entry) => string,
): Comparer<Entry> {
  const keys = new Map<Entry, string>();
  const keyOf = (entry: Entry) => {
    const key = keys.get(entry) ?? sortKeyOf(entry);
    keys.set(entry, key);
    return key;
  };
  const comparers: Record<ListOrder, Comparer<Entry>> = {
    updated: () => 0,
    title: (a, b) => Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b)),
    score: (a, b) => (b.score ?? -1) - (a.score ?? -1),
    progress: (a, b) => shareSeen(b) - shareSeen(a),
  };
  return comparers[order];
}

/**
 * One page of a list. `entries` must have the newest change first: the sort is stable and keeps that order among equal
 * entries. A page past the end becomes the last page.
 */
export function listPageOf<Entry extends Listable>(
  entries: readonly Entry[],
  selection: ListSelection,
  sortKeyOf: (entry: Entry) => string,
) {
  const shown = entries
    .filter(({ type }) => selection.type === null || type === selection.type)
    .sort(comparerOf(selection.order, sortKeyOf));
  const lastPage = Math.max(1, Math.ceil(shown.length / entriesPerPage));
  const page = Math.min(selection.page, lastPage);
  return {
    counts: countByStatus(entries),
    all: entries.length,
    page,
    lastPage,
    entries: shown.slice((page - 1) * entriesPerPage, page * entriesPerPage),
  };
}
