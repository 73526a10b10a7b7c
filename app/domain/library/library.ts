import { listStatuses } from "#db/schema/enumerations.ts";

export {
  type EntryBefore,
  type ListStatus,
  maxEntriesPerEdit,
  maxNoteLength,
  maxScore,
} from "./list/entry.ts";
export type { ListOrder } from "./list/list-page.ts";
/** The library's words, for pages too. */
export { listStatuses };

/** An episode counts as watched from here on. */
export const minWatchedShare = 0.85;
export const isWatched = (position: number, duration: number) =>
  duration > 0 && position >= duration * minWatchedShare;
