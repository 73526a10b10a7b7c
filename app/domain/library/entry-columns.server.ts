import { watchList } from "#db/schema/library.ts";

/** A `ListEntry` as it is selected. */
export const entryColumns = {
  malId: watchList.malId,
  type: watchList.type,
  progress: watchList.progress,
  score: watchList.score,
  notes: watchList.notes,
  startedOn: watchList.startedOn,
  finishedOn: watchList.finishedOn,
};
