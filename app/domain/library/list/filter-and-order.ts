import { setImmediate as nextTurn } from "node:timers/promises";
import { pageOf } from "#app/platform/numbered-pages.ts";
import { type EntryStatus, type ListEntry, statusOf } from "./entry.ts";

/** Selects one page of a watch list, by filters and in one order. */

export type ListOrder =
  | "updated"
  | "title"
  | "score"
  | "progress"
  | "added"
  | "started"
  | "finished"
  | "community";
/** A filter that is null is not applied. */
export type ListFilters = {
  status: EntryStatus | null;
  format: string | null;
  genre: string | null;
  year: number | null;
  tag: string | null;
};
type ListSelection = { filters: ListFilters; order: ListOrder; page: number };

type Listable = Pick<ListEntry, "type" | "state" | "score" | "startedOn" | "finishedOn"> & {
  progress: number;
  /** Whether the entry has the tag of the filter. */
  hasTag: boolean;
  addedAt: Date;
  /** Null while the number of episodes is unknown. */
  episodes: number | null;
  titleType: string | null;
  year: number | null;
  genres: readonly string[];
  /** The score of the catalog. */
  titleScore: number | null;
};

/**
 * Name lookups that the page supplies: the sort key of an entry's name in the member's title language, and whether a
 * search matches one of its names.
 */
type Names<Entry> = { sortKeyOf: (entry: Entry) => string; isFound: (entry: Entry) => boolean };

/** A member can select every row of a page and change them in one edit, which takes up to `maxEntriesPerEdit`. */
const entriesPerPage = 50;

/** A started title with an unknown number of episodes counts as half seen. */
const shareSeen = ({ progress, episodes }: Listable) =>
  episodes ? progress / episodes : progress > 0 ? 0.5 : 0;

type Comparer<Entry> = (a: Entry, b: Entry) => number;

/** Sorts the highest value first, and entries without a value last. */
const descending =
  <Entry>(fieldOf: (entry: Entry) => number | string | Date | null): Comparer<Entry> =>
  (a, b) => {
    const one = fieldOf(a);
    const other = fieldOf(b);
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return Number(one < other) - Number(one > other);
  };

/** `keys` has the sort key of each entry's name, if the order is by title. */
function comparerOf<Entry extends Listable>(
  order: ListOrder,
  keys: ReadonlyMap<Entry, string>,
): Comparer<Entry> {
  const keyOf = (entry: Entry) => keys.get(entry) ?? "";
  const comparers: Record<ListOrder, Comparer<Entry>> = {
    updated: () => 0,
    title: (a, b) => Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b)),
    score: descending(({ score }) => score),
    progress: descending(shareSeen),
    added: descending(({ addedAt }) => addedAt),
    started: descending(({ startedOn }) => startedOn),
    finished: descending(({ finishedOn }) => finishedOn),
    community: descending(({ titleScore }) => titleScore),
  };
  return comparers[order];
}

const isShown = (entry: Listable, { status, format, genre, year, tag }: ListFilters) =>
  (status === null || statusOf(entry) === status) &&
  (format === null || entry.titleType === format) &&
  (genre === null || entry.genres.includes(genre)) &&
  (year === null || entry.year === year) &&
  (tag === null || entry.hasTag);

/** Comparing the names of this many entries takes a few milliseconds. Imported lists can have over ten thousand. */
const entriesAtOnce = 500;

/**
 * One page of a list. `entries` must have the newest change first: the sort is stable and keeps that order among equal
 * entries. A page past the end becomes the last page.
 */
export async function listPageOf<Entry extends Listable>(
  entries: readonly Entry[],
  { filters, order, page: requestedPage }: ListSelection,
  { sortKeyOf, isFound }: Names<Entry>,
) {
  const shown: Entry[] = [];
  const keys = new Map<Entry, string>();
  for (let begin = 0; begin < entries.length; begin += entriesAtOnce) {
    // Lets other requests take their turn.
    if (begin > 0) await nextTurn();
    for (const entry of entries.slice(begin, begin + entriesAtOnce)) {
      if (!isShown(entry, filters) || !isFound(entry)) continue;
      shown.push(entry);
      if (order === "title") keys.set(entry, sortKeyOf(entry));
    }
  }
  shown.sort(comparerOf(order, keys));
  const { items, total, page, lastPage } = pageOf(shown, { page: requestedPage, perPage: entriesPerPage });
  return { all: entries.length, found: total, page, lastPage, entries: items };
}

/** The values that occur in the entries, each with its number of entries. */
export type ListChoices = Record<"statuses" | "formats" | "genres" | "years", Map<string, number>>;

export function listChoicesOf(entries: readonly Listable[]): ListChoices {
  const choices: ListChoices = {
    statuses: new Map(),
    formats: new Map(),
    genres: new Map(),
    years: new Map(),
  };
  const count = (kind: keyof ListChoices, value: string | number | null) =>
    value !== null && choices[kind].set(`${value}`, (choices[kind].get(`${value}`) ?? 0) + 1);
  for (const entry of entries) {
    count("statuses", statusOf(entry));
    count("formats", entry.titleType);
    count("years", entry.year);
    for (const genre of entry.genres) count("genres", genre);
  }
  return choices;
}
