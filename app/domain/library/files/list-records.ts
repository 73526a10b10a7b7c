import { maxEpisodeNumber, maxMalId } from "#app/domain/catalog/catalog.ts";
import { refuse, ThrownRefusal } from "#app/domain/errors.ts";
import type { JsonObject } from "#app/platform/foreign-json.ts";
import { readInstant } from "#app/platform/instant.ts";
import { StoredArray } from "#app/platform/process/stored-json.ts";
import type { EntryState, FileEntryWithName, ListEntry, ListStatus } from "../list/entry.ts";
import { cleanTags, type EntryFields, mapEntryFields } from "../list/entry-fields.ts";
import { withFittingState } from "../list/entry-rules.ts";
import { joinTicks, maxTickRuns, progressOf, type Ticks, ticksUpTo } from "../list/ticks.ts";

/** Receives the contents of a list file while it is read: the entries, and the skipped entries with the reason. */
export type ListTaker = {
  add(entry: FileEntryWithName): void;
  skip(entry: SkippedEntry): void;
};
export type SkippedEntry = { malId: number | null; title: string | null; why: string };

/** An entry of a file before its values are checked. A field is null or missing if the file has no value for it. */
type RawFileEntry = {
  malId: unknown;
  title: string | null;
  /** Null if the file has a status that this site does not know. */
  type: ListStatus | null;
  state?: EntryState | null;
  progress: unknown;
  /** Used only if they agree with the progress. */
  ticks?: unknown;
  addedAt?: string | null;
  updatedAt?: string | null;
} & { [Name in keyof EntryFields]?: unknown };

/** The list status that a word in a file stands for, and the state that goes with it. */
export type Standing = { type: ListStatus; state?: EntryState };

/** Other sites have no list status Collection. Their files have a planned title with this tag instead. */
export const collectionTag = "Collection";
export const collection: Standing = { type: "Collection" };
export const exportedTags = ({ type, state, tags }: ListEntry) =>
  type === "Collection" && state === null ? [collectionTag, ...tags] : tags;

/** A long array of a file is a `StoredArray`. */
export const isJsonArray = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) || value instanceof StoredArray;
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !isJsonArray(value);
/**
 * The objects in an array, which can be read more than once. Only one object of a long array is in memory at a time.
 */
export const jsonObjectsIn = (value: unknown): Iterable<JsonObject> => ({
  *[Symbol.iterator]() {
    if (isJsonArray(value)) for (const one of value) if (isJsonObject(one)) yield one;
  },
});
export const toTextOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

export const chooseListText = "Choose a MyAnimeList XML, an AniList JSON or an Engawa JSON file.";
export const unknownJsonText = `This is a JSON file of a kind that this site does not know. ${chooseListText}`;
export const tooMuchDataText =
  "The file has more data than a list or an account can have. Choose another file.";

/** The refusals that readers of files throw. */
export const unreadableFile = (why: string) =>
  new ThrownRefusal(refuse("invalid", `The file could not be read: ${why}`));
/** The file is intact but has the wrong format. The text names the format and says which file to choose instead. */
export const wrongFile = (text: string) => new ThrownRefusal(refuse("invalid", text));
export const oversizedFile = () => new ThrownRefusal(refuse("too_large", tooMuchDataText));

export const maxTitleLength = 300;

export function addFileEntry(entry: RawFileEntry, list: ListTaker) {
  const malId = readMalId(entry.malId);
  if (malId === null) return skipFileEntry({ ...entry, malId, why: "has no MyAnimeList id" }, list);
  if (entry.type === null)
    return skipFileEntry({ ...entry, malId, why: "has a status we do not know" }, list);
  const title = entry.title === null ? null : storableText(entry.title, maxTitleLength);
  const raw = {
    malId,
    title,
    type: entry.type,
    state: entry.state ?? null,
    ticks: readTicks(entry.ticks, readCount(entry.progress, maxEpisodeNumber)),
    ...readFields(entry),
    addedAt: readPastTime(entry.addedAt),
    updatedAt: readPastTime(entry.updatedAt),
  };
  list.add(withFittingState(raw));
}

export function skipFileEntry({ malId, title, why }: SkippedEntry, list: ListTaker) {
  list.skip({ malId, title: title === null ? null : storableText(title, maxTitleLength), why });
}

const readFields = (entry: RawFileEntry): EntryFields =>
  mapEntryFields({
    count: ({ max }, name) => readCount(entry[name], max),
    score: ({ max }, name) => readScore(entry[name], max),
    text: ({ maxLength }, name) => storableText(entry[name], maxLength),
    tags: ({ maxLength }, name) => readTags(entry[name], maxLength),
    day: (_, name) => readCalendarDate(toTextOrNull(entry[name])),
  });

const readCount = (value: unknown, max: number) => Math.floor(clampNumber(value, max) ?? 0);

/** A score above `max` uses another scale. Cutting it to `max` would import it as the best score. */
function readScore(value: unknown, max: number): number | null {
  const score = clampNumber(value, Number.POSITIVE_INFINITY);
  return score === null || score > max ? null : score;
}

const readTags = (value: unknown, maxLength: number) =>
  Array.isArray(value) ? cleanTags(value.map((tag) => storableText(tag, maxLength))) : [];

/** Without ticks that agree with the progress, all episodes up to it are ticked. */
function readTicks(value: unknown, progress: number): Ticks {
  const runs = Array.isArray(value) && value.length <= maxTickRuns ? value : [];
  const isRun = (run: unknown): run is [number, number] =>
    Array.isArray(run) && run.length === 2 && run.every(Number.isInteger) && 1 <= run[0] && run[0] <= run[1];
  const ticks = runs.every(isRun) ? joinTicks(runs) : [];
  return progressOf(ticks) === progress ? ticks : ticksUpTo(progress);
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

/** Null if the date does not exist. Other services write zeros (`0000-00-00`) for an unknown date. */
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
