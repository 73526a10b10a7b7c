import { findWord } from "#app/domain/spelling.ts";
import type { JsonObject } from "#app/platform/foreign-json.ts";
import { type SnakeCased, snakeCase } from "#app/platform/snake-case.ts";
import { entryStates, listStatuses } from "#db/schema/enumerations.ts";
import type { EntryState, ListStatus } from "../list/entry.ts";
import { type EntryFields, entryFieldNames } from "../list/entry-fields.ts";
import type { Ticks } from "../list/ticks.ts";
import { readAniListJson } from "./anilist-json.ts";
import {
  addFileEntry,
  isJsonArray,
  isJsonObject,
  type ListTaker,
  toTextOrNull,
  unreadableFile,
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
  added_at: string;
  updated_at: string;
} & SnakeCased<EntryFields>;

const fieldsIn = (entry: JsonObject) =>
  Object.fromEntries(entryFieldNames.map((name) => [name, entry[snakeCase(name)]]));

/** Returns false if the document is not a list. */
export function readJsonList(document: unknown, list: ListTaker): boolean {
  if (!isJsonObject(document)) return false;
  if (document.format === ownFormat || document.format === accountFormat) {
    requireKnownVersion(document);
    readOwnEntries(document.format === ownFormat ? document.entries : document.watch_list, list);
    return true;
  }
  return readAniListJson(document, list);
}

/** Refuses files of later versions, where fields can have another meaning. */
export function requireKnownVersion({ version = fileVersion }: JsonObject) {
  if (version !== fileVersion)
    throw unreadableFile(`its format is not version ${fileVersion}, the only one that this site reads`);
}

export function readOwnEntries(entries: unknown, list: ListTaker) {
  if (!isJsonArray(entries)) throw unreadableFile("its entries are not a list");
  for (const one of entries) {
    const entry: JsonObject = isJsonObject(one) ? one : {};
    addFileEntry(
      {
        malId: entry.mal_id,
        title: toTextOrNull(entry.title),
        type: typeof entry.type === "string" ? findWord(listStatuses, entry.type) : null,
        state: entryStates.find((state) => state === entry.state) ?? null,
        progress: entry.progress,
        ticks: entry.ticks,
        ...fieldsIn(entry),
        addedAt: toTextOrNull(entry.added_at),
        updatedAt: toTextOrNull(entry.updated_at),
      },
      list,
    );
  }
}
