import { listStatuses } from "#db/schema/enumerations.ts";

export {
  type EntryChange,
  type ListStatus,
  maxEntriesPerEdit,
  maxNoteLength,
  maxScore,
} from "./list/entry.ts";
export type { ListOrder } from "./list/list-page.ts";
export { listStatuses };

/** An episode counts as watched from this share of its duration. */
export const minWatchedShare = 0.85;
export const isWatched = (position: number, duration: number) =>
  duration > 0 && position >= duration * minWatchedShare;
