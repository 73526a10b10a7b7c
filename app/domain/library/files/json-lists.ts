import { findWord } from "#app/domain/spelling.ts";
import { listStatuses } from "#db/schema/enumerations.ts";
import type { ListStatus } from "../list/entry.ts";
import {
  addFileEntry,
  type FileListStatus,
  type ListFile,
  type ListReadOptions,
  UnreadableFile,
  WrongFile,
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
  if (isOldAniListExport(document)) throw new WrongFile(oldAniListText);
  const list = findAniList(document);
  return list && readAniList(list, options);
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

const oldAniListText =
  "This is AniList's own data export. It names titles only by AniList's numbers, which this site does not know. Export the list as MyAnimeList XML with an AniList export tool, or save the answer of AniList's API (MediaListCollection with idMal), and choose that file.";

/** The export of AniList's settings and that of its first API: entries without a MyAnimeList id, in groups or in one list. */
function isOldAniListExport({ lists }: JsonObject): boolean {
  const entries = isJsonObject(lists) ? Object.values(lists).flat() : lists;
  return jsonObjectsIn(entries).some((entry) => "series_id" in entry);
}

type AniList = { lists: JsonObject[]; scoreFormat: unknown };

function findAniList(document: JsonObject): AniList | null {
  for (const holder of [document, document.data]) {
    if (!isJsonObject(holder)) continue;
    const collection = isJsonObject(holder.MediaListCollection) ? holder.MediaListCollection : holder;
    if (!Array.isArray(collection.lists)) continue;
    const owners = jsonObjectsIn([collection, collection.user, holder.User, holder.user, holder.Viewer]);
    const options = jsonObjectsIn(owners.flatMap((owner) => [owner, owner.mediaListOptions]));
    const scoreFormat = options.find((one) => one.scoreFormat !== undefined)?.scoreFormat;
    return { lists: jsonObjectsIn(collection.lists), scoreFormat };
  }
  return null;
}

const maxScoreByFormat = new Map<unknown, number>([
  ["POINT_100", 100],
  ["POINT_10_DECIMAL", 10],
  ["POINT_10", 10],
  ["POINT_5", 5],
  ["POINT_3", 3],
]);

/**
 * The best score of the file. A query can ask for another scale than the member's, so the format counts only if no score is
 * above it. Without a format, a list with a score above 10 uses the scale of 100.
 */
function bestScoreOf(entries: readonly JsonObject[], scoreFormat: unknown): number {
  const isAbove = (max: number) => entries.some(({ score }) => typeof score === "number" && score > max);
  const best = maxScoreByFormat.get(scoreFormat);
  return best !== undefined && !isAbove(best) ? best : isAbove(10) ? 100 : 10;
}

/** AniList writes 0 for "no score". */
function toOwnScore(score: unknown, best: number): number | null {
  if (typeof score !== "number") return null;
  return (best === 10 ? score : Math.round((score / best) * 100) / 10) || null;
}

const mediaOf = ({ media }: JsonObject): JsonObject => (isJsonObject(media) ? media : {});

const mangaFormats = new Set<unknown>(["MANGA", "NOVEL", "ONE_SHOT"]);
const animeFormats = new Set<unknown>(["TV", "TV_SHORT", "MOVIE", "SPECIAL", "OVA", "ONA", "MUSIC"]);
const isCount = (value: unknown) => typeof value === "number" && value > 0;
const hasSegment = (url: unknown, segment: string) =>
  typeof url === "string" && url.split("/").includes(segment);

/** Exports leave out what their query did not ask for, so any field that only one kind has tells the kind. */
function kindOf(entry: JsonObject): "manga" | "anime" | null {
  const media = mediaOf(entry);
  const { type, format, siteUrl, chapters, volumes, episodes } = media;
  if (type === "MANGA" || mangaFormats.has(format) || hasSegment(siteUrl, "manga")) return "manga";
  if (type === "ANIME" || animeFormats.has(format) || hasSegment(siteUrl, "anime")) return "anime";
  if ([chapters, volumes, entry.progressVolumes].some(isCount)) return "manga";
  if (isCount(episodes) || isCount(media.duration)) return "anime";
  const asksForManga = "chapters" in media || "volumes" in media;
  return asksForManga && !("episodes" in media) ? "manga" : null;
}

const mangaListNames = new Set<unknown>(["Reading", "Rereading"]);

/**
 * The ids of manga are those of other titles in a catalog of anime. A list of AniList holds one kind, so entries of an unknown
 * kind are manga if some entry of the file is one and none is an anime.
 */
function mangaOf(lists: readonly JsonObject[]): Set<JsonObject> {
  const entries = lists.flatMap((list) => jsonObjectsIn(list.entries));
  const kinds = new Map(entries.map((entry) => [entry, kindOf(entry)]));
  const found = new Set(kinds.values());
  const isReading = lists.some(
    ({ name, entries }) => mangaListNames.has(name) && jsonObjectsIn(entries).length > 0,
  );
  const unknownIsManga = !found.has("anime") && (found.has("manga") || isReading);
  return new Set(
    entries.filter((entry) => kinds.get(entry) === "manga" || (unknownIsManga && kinds.get(entry) === null)),
  );
}

function readAniList({ lists, scoreFormat }: AniList, options: ListReadOptions): ListFile {
  const file: ListFile = { entries: [], skipped: [] };
  const entries = lists.flatMap((list) => jsonObjectsIn(list.entries));
  const manga = mangaOf(lists);
  if (entries.length > 0 && manga.size === entries.length)
    throw new WrongFile(
      "This is a manga list from AniList, and only anime can be imported. Export the anime list and choose that file.",
    );
  const best = bestScoreOf(entries, scoreFormat);
  for (const entry of entries) {
    const media = mediaOf(entry);
    const titles = isJsonObject(media.title) ? media.title : {};
    const title = toTextOrNull(titles.romaji) ?? toTextOrNull(titles.english) ?? toTextOrNull(titles.native);
    if (manga.has(entry)) file.skipped.push({ malId: null, title, why: "is a manga" });
    else
      addFileEntry(
        {
          malId: media.idMal,
          title,
          status: statusByName.get(entry.status) ?? null,
          progress: entry.progress,
          score: toOwnScore(entry.score, best),
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
