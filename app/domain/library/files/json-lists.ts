import { findWord } from "#app/domain/spelling.ts";
import { entryStates, listStatuses } from "#db/schema/enumerations.ts";
import type { EntryState, ListStatus } from "../list/entry.ts";
import type { Ticks } from "../list/ticks.ts";
import { readAniListJson } from "./anilist-json.ts";
import {
  addFileEntry,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type ListTaker,
  toTextOrNull,
  UnreadableFile,
} from "./list-records.ts";

/** Reads JSON list files: Engawa's own, and those of AniList. */

export const ownFormat = "engawa-list";
/** An account file contains the list in the same form. */
export const accountFormat = "engawa-account";

export const fileVersion = 1;

export type OwnFileEntry = {
  mal_id: number;
  title: string;
  type: ListStatus;
  state: EntryState | null;
  progress: number;
  ticks: Ticks;
  rewatch_count: number;
  rewatch_progress: number;
  score: number | null;
  notes: string;
  tags: readonly string[];
  started_on: string | null;
  finished_on: string | null;
  added_at: string;
  updated_at: string;
};

/** False: the document is not a list. */
export function readJsonList(document: unknown, list: ListTaker): boolean {
  if (!isJsonObject(document)) return false;
  if (document.format === ownFormat || document.format === accountFormat) {
    requireKnownVersion(document);
    readOwnEntries(document.format === ownFormat ? document.entries : document.watch_list, list);
    return true;
  }
  return readAniListJson(document, list);
}

/** Fields can have another meaning in a later version, so this version refuses the file. */
export function requireKnownVersion({ version = fileVersion }: JsonObject) {
  if (version !== fileVersion)
    throw new UnreadableFile(`its format is not version ${fileVersion}, the only one that this site reads`);
}

export function readOwnEntries(entries: unknown, list: ListTaker) {
  if (!isJsonArray(entries)) throw new UnreadableFile("its entries are not a list");
  for (const one of entries) {
    const entry: JsonObject = isJsonObject(one) ? one : {};
    addFileEntry(
      {
        malId: entry.mal_id,
        title: toTextOrNull(entry.title),
        type: typeof entry.type === "string" ? (findWord(listStatuses, entry.type) ?? null) : null,
        state: entryStates.find((state) => state === entry.state) ?? null,
        progress: entry.progress,
        ticks: entry.ticks,
        rewatchCount: entry.rewatch_count,
        rewatchProgress: entry.rewatch_progress,
        score: entry.score,
        notes: entry.notes,
        tags: Array.isArray(entry.tags) ? entry.tags : [],
        startedOn: toTextOrNull(entry.started_on),
        finishedOn: toTextOrNull(entry.finished_on),
        addedAt: toTextOrNull(entry.added_at),
        updatedAt: toTextOrNull(entry.updated_at),
      },
      list,
    );
  }
}
