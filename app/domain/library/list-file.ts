import type { CollectionType, ListEntry } from "./list-entry.ts";

/** What every reader of a list file gives: the entries, and those that it could not place, with the reason. */
export type ListFile = { entries: ListEntry[]; unplaced: UnplacedEntry[] };
export type UnplacedEntry = { mal_id: number | null; title: string | null; why: string };

/** Where a file says a title stands. Dropped comes in only when asked for, and then as kept, unwatched. */
export type Placement = CollectionType | "Dropped" | null;

export type FileEntry = {
  malId: unknown;
  title: string | null;
  placement: Placement;
  progress: unknown;
  score: unknown;
  notes: unknown;
  startedOn: string | null;
  finishedOn: string | null;
};

export type ReadOptions = { withDropped: boolean };

const longestNotes = 10_000;
const mostEpisodes = 100_000;

export function placeEntry(entry: FileEntry, { withDropped }: ReadOptions, file: ListFile) {
  const malId = Number(entry.malId);
  const unplaced = (why: string) =>
    void file.unplaced.push({ mal_id: isId(malId) ? malId : null, title: entry.title, why });
  if (!isId(malId)) return unplaced("has no MyAnimeList id");
  if (entry.placement === null) return unplaced("has a status we do not know");
  if (entry.placement === "Dropped" && !withDropped)
    return unplaced("was dropped; ask for dropped titles to bring it in");
  file.entries.push({
    malId,
    type: entry.placement === "Dropped" ? "Collection" : entry.placement,
    progress: Math.floor(within(entry.progress, mostEpisodes) ?? 0),
    score: within(entry.score, 10),
    notes: storableText(entry.notes).slice(0, longestNotes),
    startedOn: calendarDate(entry.startedOn),
    finishedOn: calendarDate(entry.finishedOn),
  });
}

const isId = (value: number) => Number.isInteger(value) && value > 0 && value < 2 ** 31;

function within(value: unknown, most: number) {
  const number = typeof value === "number" ? value : Number.parseFloat(String(value));
  return Number.isFinite(number) && number >= 0 ? Math.min(number, most) : null;
}

const storableText = (value: unknown) =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : "";

/** An ISO date that is in the calendar; the zeros that other services write for "unknown" are none. */
export function calendarDate(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && value >= "1900"
    ? value
    : null;
}
