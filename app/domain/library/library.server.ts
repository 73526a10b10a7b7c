/** The front door of the library: what belongs to a user and is not the account itself. */

export { exportAccount } from "./account-export.server.ts";
export { type AccountReport, importAccount } from "./account-import.server.ts";
export { readUploadedAccount, readUploadedList } from "./file-reading.server.ts";
export { editList, type ListEdit, type ListEdited } from "./list-edits.server.ts";
export { type ExportFormat, exportFormats, exportList } from "./list-export.server.ts";
export { type ImportReport, importList, previewImport } from "./list-import.server.ts";
export { undoImport } from "./list-undo.server.ts";
export { deleteSearches, listSearches, recordSearch, searchesKept } from "./search-history.server.ts";
export { findStandings, listLastFinished, listListedIds, type Standing } from "./standings.server.ts";
export {
  deleteWatched,
  deleteWatchedBetween,
  listWatched,
  listWatchedEpisodes,
} from "./watch-history.server.ts";
export {
  deleteListEntry,
  type ListChange,
  type ListedEntry,
  listEntries,
  type SavedEntry,
  saveListEntry,
} from "./watch-list.server.ts";
export {
  type ContinueRow,
  findPlace,
  listContinueWatching,
  type Place,
  type ProgressReport,
  type Reported,
  reportProgress,
} from "./watch-progress.server.ts";
