import { findWord } from "#app/domain/spelling.ts";
import { listStatuses } from "#db/schema/enumerations.ts";
import type { ListStatus } from "../list/entry.ts";
import {
  addFileEntry,
  type FileListStatus,
  type ListFile,
  type ListReadOptions,
  UnreadableFile,
} from "./list-records.ts";

/** The JSON list files: our own, and AniList's in the shapes its API and export tools give. */

export const ownFormat = "engawa-list";
/** A whole account's file holds the list in the same form. */
export const accountFormat = "engawa-account";

export const fileVersion = 1;

export type OwnFileEntry = {
  mal_id: number;
  title: string;
  type: ListStatus;
  progress: number;
  score: number | null;
  notes: string;
  started_on: string | null;
  finished_on: string | null;
  added_at: string;
  updated_at: string;
};

export type JsonObject = Record<string, unknown>;
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const jsonObjectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const textOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

export function readJsonList(document: unknown, options: ListReadOptions): ListFile | null {
  if (!isJsonObject(document)) return null;
  if (document.format === ownFormat || document.format === accountFormat) {
    requireKnownVersion(document);
    return readOwnEntries(document.format === ownFormat ? document.entries : document.watch_list);
  }
  const lists = findAniListLists(document);
  return lists && readAniList(lists, options);
}

/** What a later version means by its fields is not for this one to guess. */
export function requireKnownVersion({ version = fileVersion }: JsonObject) {
  if (version !== fileVersion) throw new UnreadableFile(`only version ${fileVersion} of its format is read`);
}

export function readOwnEntries(entries: unknown): ListFile {
  const file: ListFile = { entries: [], skipped: [] };
  if (!Array.isArray(entries)) throw new UnreadableFile("its entries are no list");
  for (const entry of entries.map((one) => (isJsonObject(one) ? one : {})))
    addFileEntry(
      {
        malId: entry.mal_id,
        title: textOrNull(entry.title),
        placement: typeof entry.type === "string" ? (findWord(listStatuses, entry.type) ?? null) : null,
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

const statusByName = new Map<unknown, FileListStatus>([
  ["CURRENT", "Watching"],
  ["REPEATING", "Watching"],
  ["COMPLETED", "Completed"],
  ["PAUSED", "Watching"],
  ["DROPPED", "Dropped"],
  ["PLANNING", "To Watch"],
]);

function findAniListLists(document: JsonObject): JsonObject[] | null {
  for (const holder of [document, document.data]) {
    if (!isJsonObject(holder)) continue;
    const collection = isJsonObject(holder.MediaListCollection) ? holder.MediaListCollection : holder;
    if (Array.isArray(collection.lists)) return jsonObjectsIn(collection.lists);
  }
  return null;
}

function readAniList(lists: JsonObject[], options: ListReadOptions): ListFile {
  const file: ListFile = { entries: [], skipped: [] };
  const entries = lists.flatMap((list) => jsonObjectsIn(list.entries));
  // The file does not say on which scale its owner scores; a list that goes past ten is out of a hundred.
  const scale = entries.some(({ score }) => typeof score === "number" && score > 10) ? 10 : 1;
  for (const entry of entries) {
    const media = isJsonObject(entry.media) ? entry.media : {};
    const titles = isJsonObject(media.title) ? media.title : {};
    addFileEntry(
      {
        malId: media.idMal,
        title: textOrNull(titles.romaji) ?? textOrNull(titles.english) ?? textOrNull(titles.native),
        placement: statusByName.get(entry.status) ?? null,
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
  if (!isJsonObject(value)) return null;
  const [year, month, day] = [value.year, value.month, value.day].map((part) =>
    typeof part === "number" ? part : 0,
  );
  if (!year || !month || !day) return null;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
