import { maxEpisodeNumber, maxMalId } from "#app/domain/catalog/catalog.ts";
import { type FileEntryWithName, type ListStatus, maxNoteLength, maxScore } from "../list/entry.ts";

/** What every reader of a list file gives: the entries, and those that it could not place, with the reason. */
export type ListFile = { entries: FileEntryWithName[]; skipped: SkippedEntry[] };
export type SkippedEntry = { malId: number | null; title: string | null; why: string };

/** Where a file says a title stands. Dropped comes in only when asked for, and then as kept, unwatched. */
export type FileListStatus = ListStatus | "Dropped" | null;

type RawFileEntry = {
  malId: unknown;
  title: string | null;
  placement: FileListStatus;
  progress: unknown;
  score: unknown;
  notes: unknown;
  startedOn: string | null;
  finishedOn: string | null;
  addedAt?: string | null;
  updatedAt?: string | null;
};

export type ListReadOptions = { withDropped: boolean };

export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}

const longestTitle = 300;
/** More than there are titles: past this, it is not somebody's list. */
const mostEntries = 50_000;

export function addFileEntry(entry: RawFileEntry, { withDropped }: ListReadOptions, file: ListFile) {
  if (file.entries.length + file.skipped.length >= mostEntries)
    throw new UnreadableFile(`it has more than ${mostEntries} entries`);
  const malId = readMalId(entry.malId);
  const title = entry.title === null ? null : storableText(entry.title, longestTitle);
  const skipped = (why: string) => void file.skipped.push({ malId, title, why });
  if (malId === null) return skipped("has no MyAnimeList id");
  if (entry.placement === null) return skipped("has a status we do not know");
  if (entry.placement === "Dropped" && !withDropped)
    return skipped("was dropped; ask for dropped titles to bring it in");
  file.entries.push({
    malId,
    title,
    type: entry.placement === "Dropped" ? "Collection" : entry.placement,
    progress: Math.floor(clampNumber(entry.progress, maxEpisodeNumber) ?? 0),
    score: readScore(entry.score),
    notes: storableText(entry.notes, maxNoteLength),
    startedOn: readCalendarDate(entry.startedOn),
    finishedOn: readCalendarDate(entry.finishedOn),
    addedAt: readPastTime(entry.addedAt),
    updatedAt: readPastTime(entry.updatedAt),
  });
}

/** A score above the most is of another scale: cut down, it would come in as the best. */
function readScore(value: unknown) {
  const score = clampNumber(value, Number.POSITIVE_INFINITY);
  return score === null || score > maxScore ? null : score;
}

/** Ids are whole and positive, as numbers or as text; anything else is none. */
export function readMalId(value: unknown): number | null {
  const id = typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isInteger(id) && id > 0 && id <= maxMalId ? id : null;
}

export function clampNumber(value: unknown, most: number) {
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
export function readCalendarDate(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && value >= "1900"
    ? value
    : null;
}

/** A moment as our own files write it; one that lies ahead is now. */
export function readPastTime(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}T/.test(value) || value < "1970") return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(Math.min(time, Date.now())).toISOString();
}
