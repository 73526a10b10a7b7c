import { entryStateLabels, entryStates, listStatuses } from "#db/schema/enumerations.ts";

export {
  type EntryChange,
  type ListStatus,
  maxEntriesPerEdit,
  maxNoteLength,
  maxRewatchCount,
  maxScore,
  maxTagLength,
  maxTags,
} from "./list/entry.ts";
export type { ListOrder } from "./list/list-page.ts";
export { isTicked, type Ticks } from "./list/ticks.ts";
export { entryStateLabels, entryStates, listStatuses };

/** An episode counts as watched from this share of its duration. */
export const minWatchedShare = 0.85;
export const isWatched = (position: number, duration: number) =>
  duration > 0 && position >= duration * minWatchedShare;

/** An episode can be resumed between these two. Nearer to its ends, it begins anew. */
export const minResumeSeconds = 30;
export const maxResumeShare = 0.9;
