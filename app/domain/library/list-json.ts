import { collectionTypes } from "#db/schema/enumerations.ts";
import { findWord } from "../spelling.ts";
import type { CollectionType } from "./list-entry.ts";
import { type ListFile, type Placement, placeEntry, type ReadOptions, UnreadableFile } from "./list-file.ts";

/** The JSON list files: our own, and AniList's in the shapes its API and export tools give. */

export const ownFormat = "engawa-list";
/** A whole account's file holds the list in the same form. */
export const accountFormat = "engawa-account";

export const fileVersion = 1;

export type OwnEntry = {
  mal_id: number;
  title: string;
  type: CollectionType;
  progress: number;
  score: number | null;
  notes: string;
  started_on: string | null;
  finished_on: string | null;
  added_at: string;
  updated_at: string;
};

export type Plain = Record<string, unknown>;
export const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const plainList = (value: unknown): Plain[] => (Array.isArray(value) ? value.filter(isPlain) : []);
const textOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

export function readJsonList(document: unknown, options: ReadOptions): ListFile | null {
  if (!isPlain(document)) return null;
  if (document.format === ownFormat || document.format === accountFormat) {
    requireKnownVersion(document);
    return readOwn(document.format === ownFormat ? document.entries : document.watch_list);
  }
  const lists = findAniListLists(document);
  return lists && readAniList(lists, options);
}

/** What a later version means by its fields is not for this one to guess. */
export function requireKnownVersion({ version = fileVersion }: Plain) {
  if (version !== fileVersion) throw new UnreadableFile(`only version ${fileVersion} of its format is read`);
}

export function readOwn(entries: unknown): ListFile {
  const file: ListFile = { entries: [], unplaced: [] };
  if (!Array.isArray(entries)) throw new UnreadableFile("its entries are no list");
  for (const entry of entries.map((one) => (isPlain(one) ? one : {})))
    placeEntry(
      {
        malId: entry.mal_id,
        title: textOrNull(entry.title),
        placement: typeof entry.type === "string" ? (findWord(collectionTypes, entry.type) ?? null) : null,
        progress: entry.progress,
        score: entry.score,
        notes: entry.notes,
        startedOn: textOrNull(entry.started_on),
        finishedOn: textOrNull(entry.finished_on),
        addedAt: textOrNull(entry.added_at),
        updatedAt: textOrNull(entry.updated_at),
      },
      { withDropped: true },
      file,
    );
  return file;
}

const placements = new Map<unknown, Placement>([
  ["CURRENT", "Watching"],
  ["REPEATING", "Watching"],
  ["COMPLETED", "Completed"],
  ["PAUSED", "Watching"],
  ["DROPPED", "Dropped"],
  ["PLANNING", "To Watch"],
]);

function findAniListLists(document: Plain): Plain[] | null {
  for (const holder of [document, document.data]) {
    if (!isPlain(holder)) continue;
    const collection = isPlain(holder.MediaListCollection) ? holder.MediaListCollection : holder;
    if (Array.isArray(collection.lists)) return plainList(collection.lists);
  }
  return null;
}

function readAniList(lists: Plain[], options: ReadOptions): ListFile {
  const file: ListFile = { entries: [], unplaced: [] };
  const entries = lists.flatMap((list) => plainList(list.entries));
  // The file does not say on which scale its owner scores; a list that goes past ten is out of a hundred.
  const scale = entries.some(({ score }) => typeof score === "number" && score > 10) ? 10 : 1;
  for (const entry of entries) {
    const media = isPlain(entry.media) ? entry.media : {};
    const titles = isPlain(media.title) ? media.title : {};
    placeEntry(
      {
        malId: media.idMal,
        title: textOrNull(titles.romaji) ?? textOrNull(titles.english) ?? textOrNull(titles.native),
        placement: placements.get(entry.status) ?? null,
        progress: entry.progress,
        // Zero is how that file says "not scored".
        score: typeof entry.score === "number" ? entry.score / scale || null : null,
        notes: entry.notes,
        startedOn: aniListDate(entry.startedAt),
        finishedOn: aniListDate(entry.completedAt),
      },
      options,
      file,
    );
  }
  return file;
}

function aniListDate(value: unknown): string | null {
  if (!isPlain(value)) return null;
  const [year, month, day] = [value.year, value.month, value.day].map((part) =>
    typeof part === "number" ? part : 0,
  );
  if (!year || !month || !day) return null;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
