import { collectionTypes } from "#db/schema/enumerations.ts";

export type { CollectionType, EntryBefore } from "./list-entry.ts";
/** The library's words, for pages too. */
export { collectionTypes };

/** An episode counts as watched from here on. */
export const watchedShare = 0.85;
export const isWatched = (position: number, duration: number) =>
  duration > 0 && position >= duration * watchedShare;
