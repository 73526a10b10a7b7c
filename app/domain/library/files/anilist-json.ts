import type { JsonObject } from "#app/platform/foreign-json.ts";
import { groupBy } from "#app/platform/lists.ts";
import { type EntryStatus, type ListEntry, statusOf } from "../list/entry.ts";
import { progressOf } from "../list/ticks.ts";
import {
  addFileEntry,
  collection,
  collectionTag,
  exportedTags,
  isJsonArray,
  isJsonObject,
  jsonObjectsIn,
  type ListTaker,
  type Standing,
  skipFileEntry,
  toTextOrNull,
  wrongFile,
} from "./list-records.ts";

/** Reads the JSON list files of AniList, in the formats of its API and export tools, and writes the API's format. */

/** Returns false if the document is not an AniList list. */
export function readAniListJson(document: JsonObject, list: ListTaker): boolean {
  if (isOldAniListExport(document)) throw wrongFile(oldAniListText);
  const aniList = findAniList(document);
  if (aniList) readAniList(aniList, list);
  return aniList !== null;
}

const standingByStatus = new Map<unknown, Standing>([
  ["CURRENT", { type: "Watching" }],
  ["REPEATING", { type: "Watching", state: "rewatching" }],
  ["COMPLETED", { type: "Completed" }],
  ["PAUSED", { type: "Watching", state: "on_hold" }],
  ["DROPPED", { type: "Collection", state: "dropped" }],
  ["PLANNING", { type: "To Watch" }],
]);

const oldAniListText =
  "This is AniList's own data export. It names titles only by AniList's numbers, which this site does not know. Export the list as MyAnimeList XML with an AniList export tool, or save the answer of AniList's API (MediaListCollection with idMal), and choose that file.";

/** True for exports from AniList's settings and from its first API. Their entries have no MyAnimeList id. */
function isOldAniListExport({ lists }: JsonObject): boolean {
  const hasOldEntry = (entries: unknown) => {
    for (const entry of jsonObjectsIn(entries)) if ("series_id" in entry) return true;
    return false;
  };
  if (!isJsonObject(lists)) return hasOldEntry(lists);
  return Object.values(lists).some((group) => hasOldEntry(isJsonArray(group) ? group : [group]));
}

type AniList = { lists: Iterable<JsonObject>; scoreFormat: unknown };

function findAniList(document: JsonObject): AniList | null {
  for (const holder of [document, document.data]) {
    if (!isJsonObject(holder)) continue;
    const collection = isJsonObject(holder.MediaListCollection) ? holder.MediaListCollection : holder;
    if (!isJsonArray(collection.lists)) continue;
    const owners = [collection, collection.user, holder.User, holder.user, holder.Viewer].filter(
      isJsonObject,
    );
    const options = owners.flatMap((owner) => [owner, owner.mediaListOptions]).filter(isJsonObject);
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
 * The maximum of the file's score scale. A query can request another scale than the member's, so the format counts only
 * if no score is above it. Without a format, a list with a score above 10 uses the scale of 100.
 */
function bestScoreOf(maxScore: number, scoreFormat: unknown): number {
  const best = maxScoreByFormat.get(scoreFormat);
  return best !== undefined && maxScore <= best ? best : maxScore > 10 ? 100 : 10;
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

/** Exports omit fields that their query did not request, so one field that only this kind has decides the kind. */
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
 * Manga ids would refer to unrelated titles in a catalog of anime. An AniList list holds one kind, so entries of an
 * unknown kind count as manga if the file has at least one manga and no anime.
 */
function mangaKindsOf({ kinds, isReading }: ListFacts): Set<Kind> {
  const unknownIsManga = !kinds.has("anime") && (kinds.has("manga") || isReading);
  return new Set<Kind>(unknownIsManga ? ["manga", null] : ["manga"]);
}

type Kind = ReturnType<typeof kindOf>;
type ListFacts = { kinds: Set<Kind>; isReading: boolean; maxScore: number };

/** The facts that the whole file gives about each of its entries. */
function readListFacts(lists: Iterable<JsonObject>): ListFacts {
  const facts: ListFacts = { kinds: new Set(), isReading: false, maxScore: 0 };
  for (const { name, entries } of lists)
    for (const entry of jsonObjectsIn(entries)) {
      facts.kinds.add(kindOf(entry));
      if (mangaListNames.has(name)) facts.isReading = true;
      if (typeof entry.score === "number" && entry.score > facts.maxScore) facts.maxScore = entry.score;
    }
  return facts;
}

function readAniList({ lists, scoreFormat }: AniList, taker: ListTaker) {
  const facts = readListFacts(lists);
  const mangaKinds = mangaKindsOf(facts);
  if (facts.kinds.size > 0 && [...facts.kinds].every((kind) => mangaKinds.has(kind)))
    throw wrongFile(
      "This is a manga list from AniList, and only anime can be imported. Export the anime list and choose that file.",
    );
  const best = bestScoreOf(facts.maxScore, scoreFormat);
  for (const list of lists)
    for (const entry of jsonObjectsIn(list.entries))
      if (mangaKinds.has(kindOf(entry)))
        skipFileEntry({ malId: null, title: titleOf(entry), why: "is a manga" }, taker);
      else addFileEntry(toFileEntry(entry, list.isCustomList === true ? [list.name] : [], best), taker);
}

function titleOf(entry: JsonObject) {
  const media = mediaOf(entry);
  const titles = isJsonObject(media.title) ? media.title : {};
  return toTextOrNull(titles.romaji) ?? toTextOrNull(titles.english) ?? toTextOrNull(titles.native);
}

function toFileEntry(entry: JsonObject, listNames: readonly unknown[], best: number) {
  const standing = standingByStatus.get(entry.status) ?? { type: null };
  const tags = [...customListsOf(entry), ...listNames];
  const isCollection = standing.type === "To Watch" && tags.includes(collectionTag);
  const { idMal, episodes } = mediaOf(entry);
  const isRewatching = entry.status === "REPEATING";
  return {
    malId: idMal,
    title: titleOf(entry),
    ...(isCollection ? collection : standing),
    // AniList has a single progress. During a rewatch it is the progress of the rewatch.
    progress: isRewatching ? (episodes ?? entry.progress) : entry.progress,
    rewatchProgress: entry.progress,
    rewatchCount: entry.repeat,
    score: toOwnScore(entry.score, best),
    notes: entry.notes,
    tags: isCollection ? tags.filter((tag) => tag !== collectionTag) : tags,
    startedOn: aniListDate(entry.startedAt),
    finishedOn: aniListDate(entry.completedAt),
  };
}

/** AniList sends each custom list with a flag whether the entry is in it, as an object or as an array. */
const customListsOf = ({ customLists }: JsonObject): unknown[] =>
  isJsonObject(customLists)
    ? Object.keys(customLists).filter((name) => customLists[name] === true)
    : [...jsonObjectsIn(customLists)].flatMap(({ name, enabled }) => (enabled === true ? [name] : []));

function aniListDate(value: unknown): string | null {
  if (!isJsonObject(value)) return null;
  const [year, month, day] = [value.year, value.month, value.day].map((part) =>
    typeof part === "number" ? part : 0,
  );
  if (!year || !month || !day) return null;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

type ExportedEntry = ListEntry & {
  title: string;
  titleType: string | null;
  episodes: number | null;
  addedAt: Date;
  updatedAt: Date;
};

/** The beginning of a `MediaListCollection` response, up to its lists. */
export const aniListHead = `{"data":{"MediaListCollection":{"user":{"mediaListOptions":{"scoreFormat":"POINT_10_DECIMAL"}},"lists":[`;
export const aniListTail = "\n]}}}\n";

/** A page of entries as lists by status. Readers join lists with the same name. */
export function aniListsOf(page: readonly ExportedEntry[]): object[] {
  const lists = groupBy(page, (entry) => statusNames[statusOf(entry)]);
  return [...lists].map(([status, entries]) => ({
    name: listNames.get(status),
    isCustomList: false,
    status,
    entries: entries.map((entry) => toMediaList(entry, status)),
  }));
}

const listNames = new Map([
  ["CURRENT", "Watching"],
  ["REPEATING", "Rewatching"],
  ["COMPLETED", "Completed"],
  ["PAUSED", "Paused"],
  ["DROPPED", "Dropped"],
  ["PLANNING", "Planning"],
]);
const statusNames: Record<EntryStatus, string> = {
  "To Watch": "PLANNING",
  Collection: "PLANNING",
  Watching: "CURRENT",
  Completed: "COMPLETED",
  on_hold: "PAUSED",
  dropped: "DROPPED",
  rewatching: "REPEATING",
};

const toMediaList = (entry: ExportedEntry, status: string) => ({
  status,
  score: entry.score ?? 0,
  progress: entry.state === "rewatching" ? entry.rewatchProgress : progressOf(entry.ticks),
  repeat: entry.rewatchCount,
  private: true,
  notes: entry.notes === "" ? null : entry.notes,
  customLists: taggedLists(entry),
  startedAt: toFuzzyDate(entry.startedOn),
  completedAt: toFuzzyDate(entry.finishedOn),
  createdAt: Math.floor(entry.addedAt.getTime() / 1000),
  updatedAt: Math.floor(entry.updatedAt.getTime() / 1000),
  media: {
    idMal: entry.malId,
    type: "ANIME",
    format: entry.titleType?.replace("TV Special", "Special").toUpperCase() ?? null,
    episodes: entry.episodes,
    title: { romaji: entry.title },
  },
});

const taggedLists = (entry: ExportedEntry) => exportedTags(entry).map((name) => ({ name, enabled: true }));

const toFuzzyDate = (date: string | null) => {
  const [year = null, month = null, day = null] = date?.split("-").map(Number) ?? [];
  return { year, month, day };
};
