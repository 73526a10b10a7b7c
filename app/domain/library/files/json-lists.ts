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

/** Reads JSON list files: Engawa's own, and AniList's in the shapes that its API and export tools produce. */

export const ownFormat = "engawa-list";
/** An account file contains the list in the same form. */
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
const toTextOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

export function readJsonList(document: unknown, options: ListReadOptions): ListFile | null {
  if (!isJsonObject(document)) return null;
  if (document.format === ownFormat || document.format === accountFormat) {
    requireKnownVersion(document);
    return readOwnEntries(document.format === ownFormat ? document.entries : document.watch_list);
  }
  const lists = findAniListLists(document);
  return lists && readAniList(lists, options);
}

/** Fields can have another meaning in a later version, so this version refuses the file. */
export function requireKnownVersion({ version = fileVersion }: JsonObject) {
  if (version !== fileVersion)
    throw new UnreadableFile(`its format is not version ${fileVersion}, the only one that this site reads`);
}

export function readOwnEntries(entries: unknown): ListFile {
  const file: ListFile = { entries: [], skipped: [] };
  if (!Array.isArray(entries)) throw new UnreadableFile("its entries are not a list");
  for (const entry of entries.map((one) => (isJsonObject(one) ? one : {})))
    addFileEntry(
      {
        malId: entry.mal_id,
        title: toTextOrNull(entry.title),
        status: typeof entry.type === "string" ? (findWord(listStatuses, entry.type) ?? null) : null,
        progress: entry.progress,
        score: entry.score,
        notes: entry.notes,
        startedOn: toTextOrNull(entry.started_on),
        finishedOn: toTextOrNull(entry.finished_on),
        addedAt: toTextOrNull(entry.added_at),
        updatedAt: toTextOrNull(entry.updated_at),
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
  // The file does not name its scale. A list with a score above 10 uses the scale of 100.
  const scale = entries.some(({ score }) => typeof score === "number" && score > 10) ? 10 : 1;
  for (const entry of entries) {
    const media = isJsonObject(entry.media) ? entry.media : {};
    const titles = isJsonObject(media.title) ? media.title : {};
    addFileEntry(
      {
        malId: media.idMal,
        title: toTextOrNull(titles.romaji) ?? toTextOrNull(titles.english) ?? toTextOrNull(titles.native),
        status: statusByName.get(entry.status) ?? null,
        progress: entry.progress,
        // AniList writes 0 for "no score".
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
