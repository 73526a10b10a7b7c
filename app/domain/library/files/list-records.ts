import { maxEpisodeNumber, maxMalId } from "#app/domain/catalog/catalog.ts";
import { readInstant } from "#app/platform/instant.ts";
import { type FileEntryWithName, type ListStatus, maxNoteLength, maxScore } from "../list/entry.ts";

/** The contents of a list file: the entries, and the skipped ones with the reason. */
export type ListFile = { entries: FileEntryWithName[]; skipped: SkippedEntry[] };
export type SkippedEntry = { malId: number | null; title: string | null; why: string };

/** Dropped titles are imported only on request, and then with the list status Collection. */
export type FileListStatus = ListStatus | "Dropped" | null;

type RawFileEntry = {
  malId: unknown;
  title: string | null;
  status: FileListStatus;
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

/** The file is whole, but not one that an import reads. The message says what it is and what to choose instead. */
export class WrongFile extends Error {
  override name = "WrongFile";
}

export const chooseListText = "Choose a MyAnimeList XML, an AniList JSON or an Engawa JSON file.";

const maxTitleLength = 300;
/** There are fewer anime than this, so a longer file is not a member's list. */
const maxEntries = 50_000;

export function addFileEntry(entry: RawFileEntry, { withDropped }: ListReadOptions, file: ListFile) {
  if (file.entries.length + file.skipped.length >= maxEntries)
    throw new UnreadableFile(`it has more than ${maxEntries} entries`);
  const malId = readMalId(entry.malId);
  const title = entry.title === null ? null : storableText(entry.title, maxTitleLength);
  const skip = (why: string) => void file.skipped.push({ malId, title, why });
  if (malId === null) return skip("has no MyAnimeList id");
  if (entry.status === null) return skip("has a status we do not know");
  if (entry.status === "Dropped" && !withDropped)
    return skip("is marked as dropped, and dropped titles were not included");
  file.entries.push({
    malId,
    title,
    type: entry.status === "Dropped" ? "Collection" : entry.status,
    progress: Math.floor(clampNumber(entry.progress, maxEpisodeNumber) ?? 0),
    score: readScore(entry.score),
    notes: storableText(entry.notes, maxNoteLength),
    startedOn: readCalendarDate(entry.startedOn),
    finishedOn: readCalendarDate(entry.finishedOn),
    addedAt: readPastTime(entry.addedAt),
    updatedAt: readPastTime(entry.updatedAt),
  });
}

/** A score above `maxScore` uses another scale. Cutting it to `maxScore` would import it as the best score. */
function readScore(value: unknown) {
  const score = clampNumber(value, Number.POSITIVE_INFINITY);
  return score === null || score > maxScore ? null : score;
}

export function readMalId(value: unknown): number | null {
  const id = typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isInteger(id) && id > 0 && id <= maxMalId ? id : null;
}

export function clampNumber(value: unknown, max: number) {
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof number !== "number") return null;
  return Number.isFinite(number) && number >= 0 ? Math.min(number, max) : null;
}

/** Cuts the text, and removes NUL and unpaired surrogates, which PostgreSQL refuses. */
export const storableText = (value: unknown, maxLength: number) =>
  typeof value === "string"
    ? value
        .replaceAll("\0", "")
        .slice(0, maxLength)
        .replace(/\p{Cs}/gu, "")
    : "";

/** Null: the date does not exist. Other services write zeros (`0000-00-00`) for an unknown date. */
export function readCalendarDate(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && value >= "1900"
    ? value
    : null;
}

/** A time in the future becomes now. */
export function readPastTime(value: unknown): string | null {
  const time = typeof value === "string" ? readInstant(value)?.getTime() : undefined;
  return time === undefined || time < 0 ? null : new Date(Math.min(time, Date.now())).toISOString();
}
