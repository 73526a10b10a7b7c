import type { EntryBefore } from "#app/domain/library/library.ts";

/** What a change of the list did, in words, and what takes it back. */
export type ListChanged = {
  words: string;
  undo: { malId: number; before: EntryBefore | null }[];
  /** An entry whose last episode is seen: worth asking whether it is done. */
  offersCompleted: { malId: number; title: string } | null;
};
