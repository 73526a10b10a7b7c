import { largestId, mostEpisodes } from "../catalog/catalog.ts";
import type { CollectionType, FiledEntry } from "./list-entry.ts";

/** What every reader of a list file gives: the entries, and those that it could not place, with the reason. */
export type ListFile = { entries: FiledEntry[]; unplaced: UnplacedEntry[] };
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
  addedAt?: string | null;
  updatedAt?: string | null;
};

export type ReadOptions = { withDropped: boolean };

export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}

const longestNotes = 10_000;
const longestTitle = 300;
/** More than there are titles: past this, it is not somebody's list. */
const mostEntries = 50_000;

export function placeEntry(entry: FileEntry, { withDropped }: ReadOptions, file: ListFile) {
  if (file.entries.length + file.unplaced.length >= mostEntries)
    throw new UnreadableFile(`it has more than ${mostEntries} entries`);
  const malId = readId(entry.malId);
  const title = entry.title === null ? null : storableText(entry.title, longestTitle);
  const unplaced = (why: string) => void file.unplaced.push({ mal_id: malId, title, why });
  if (malId === null) return unplaced("has no MyAnimeList id");
  if (entry.placement === null) return unplaced("has a status we do not know");
  if (entry.placement === "Dropped" && !withDropped)
    return unplaced("was dropped; ask for dropped titles to bring it in");
  file.entries.push({
    malId,
    title,
    type: entry.placement === "Dropped" ? "Collection" : entry.placement,
    progress: Math.floor(within(entry.progress, mostEpisodes) ?? 0),
    score: readScore(entry.score),
    notes: storableText(entry.notes, longestNotes),
    startedOn: calendarDate(entry.startedOn),
    finishedOn: calendarDate(entry.finishedOn),
    addedAt: pastMoment(entry.addedAt),
    updatedAt: pastMoment(entry.updatedAt),
  });
}

/** Ten at most: cut down to it, a score on another scale would come in as the best. */
function readScore(value: unknown) {
  const score = within(value, Number.POSITIVE_INFINITY);
  return score === null || score > 10 ? null : score;
}

/** Ids are whole and positive, as numbers or as text; anything else is none. */
export function readId(value: unknown): number | null {
  const id = typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isInteger(id) && id > 0 && id <= largestId ? id : null;
}

export function within(value: unknown, most: number) {
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof number !== "number") return null;
  return Number.isFinite(number) && number >= 0 ? Math.min(number, most) : null;
}

/** Cut to length, and without what a database cannot hold: NUL, and halves of a character. */
export const storableText = (value: unknown, longest: number) =>
  typeof value === "string"
    ? value
        .replaceAll("\0", "")
        .slice(0, longest)
        .replace(/\p{Cs}/gu, "")
    : "";

/** An ISO date that is in the calendar; the zeros that other services write for "unknown" are none. */
export function calendarDate(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && value >= "1900"
    ? value
    : null;
}

/** A moment as our own files write it; one that lies ahead is now. */
export function pastMoment(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}T/.test(value) || value < "1970") return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(Math.min(time, Date.now())).toISOString();
}
