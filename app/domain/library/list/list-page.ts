import { listStatuses } from "#db/schema/enumerations.ts";
import { type ListStatus, maxEntriesPerEdit } from "./entry.ts";

/** A watch list as people look at it: one status, one order, page by page. */

export type ListOrder = "updated" | "title" | "score" | "progress";
type ListSelection = { type: ListStatus | null; order: ListOrder; page: number };

type Listable = {
  type: ListStatus;
  progress: number;
  score: number | null;
  /** How many the title has; null while nobody knows. */
  episodes: number | null;
};

/** Every row of a page can be ticked, and all of them changed at once. */
const entriesPerPage = maxEntriesPerEdit;

export const countByStatus = (entries: readonly { type: ListStatus }[]) =>
  Object.fromEntries(
    listStatuses.map((type) => [type, entries.filter((entry) => entry.type === type).length]),
  ) as Record<ListStatus, number>;

/** A started title of unknown length counts as half seen. */
const shareSeen = ({ progress, episodes }: Listable) =>
  episodes ? progress / episodes : progress > 0 ? 0.5 : 0;

/** `nameOf` gives the name that the member reads, since they read names in a language of their own. */
function comparerOf<Entry extends Listable>(order: ListOrder, nameOf: (entry: Entry) => string) {
  const comparers: Record<ListOrder, (a: Entry, b: Entry) => number> = {
    updated: () => 0,
    title: (a, b) => nameOf(a).localeCompare(nameOf(b)),
    score: (a, b) => (b.score ?? -1) - (a.score ?? -1),
    progress: (a, b) => shareSeen(b) - shareSeen(a),
  };
  return comparers[order];
}

/**
 * One page of a list. Entries come with the newest change first, and sorting keeps that order among equals. A page
 * past the end gives the last one.
 */
export function listPageOf<Entry extends Listable>(
  entries: readonly Entry[],
  selection: ListSelection,
  nameOf: (entry: Entry) => string,
) {
  const shown = entries
    .filter(({ type }) => selection.type === null || type === selection.type)
    .sort(comparerOf(selection.order, nameOf));
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
