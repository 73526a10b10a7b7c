import { isLanguage } from "#app/domain/accounts/accounts.ts";
import { dismissalPlaces, entryStateLabels, entryStates, listStatuses } from "#db/schema/enumerations.ts";
import { type EntryStatus, statusOf } from "./list/entry.ts";

/** The door of the library for code that also runs in browsers: fields of entries, list statuses, scores and ticks. */

export { type EntryChange, isFollowed, maxEntriesPerEdit } from "./list/entry.ts";
export { type EntryFields, entryFieldNames, entryFields, mapEntryFields } from "./list/entry-fields.ts";
export type { ListFilters, ListOrder } from "./list/filter-and-order.ts";
export {
  countScores,
  meanScoreText,
  type ScoreFormat,
  scoreChoices,
  scoreText,
} from "./list/score-format.ts";
export { isTicked, maxTickRuns, type Ticks } from "./list/ticks.ts";
export { dismissalPlaces, type EntryStatus, entryStateLabels, entryStates, listStatuses, statusOf };

/** All list statuses and states that a member can choose, in the order in which pages show them. */
export const entryStatuses = [
  "Watching",
  "rewatching",
  "on_hold",
  "To Watch",
  "Completed",
  "dropped",
  "Collection",
] as const satisfies readonly EntryStatus[];
export const entryStatusLabel = (status: EntryStatus): string =>
  (entryStateLabels as Partial<Record<EntryStatus, string>>)[status] ?? status;

/** The place from which a member dismissed a title. */
export type DismissalPlace = (typeof dismissalPlaces)[number];

/** The sound and subtitles that a member chose for a title. */
export type TrackChoice = { sound: string | null; subtitles: string | null };
export const isSoundChoice = isLanguage;
export const isSubtitleChoice = (text: string) =>
  text === "off" || isLanguage(text.replace(/(?: signs| commentary| descriptions)?(?: deaf)?$/, ""));

/** An episode counts as watched from this share of its duration. */
export const minWatchedShare = 0.85;
export const isWatched = (position: number, duration: number) =>
  duration > 0 && position >= duration * minWatchedShare;

/** An episode resumes only between these two. Nearer to its beginning or end, it starts from the beginning. */
export const minResumeSeconds = 30;
export const maxResumeShare = 0.9;

export const listStatusChoices = () =>
  entryStatuses.map((value) => ({ value, label: entryStatusLabel(value) }));
