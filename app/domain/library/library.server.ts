/** The door of the library on the server: watch lists, resume points and histories of members. */

export { editList, type ListEdit, type ListEditResult } from "./edit-list.server.ts";
export { exportAccount } from "./files/export-account.server.ts";
export { exportFormats, exportList } from "./files/export-list.server.ts";
export { importAccount } from "./files/import-account.server.ts";
export { importList, type ListImportReport, previewListImport } from "./files/import-list.server.ts";
export { unknownJsonText } from "./files/list-records.ts";
export { withUploadedAccount, withUploadedList } from "./files/read-upload.server.ts";
export {
  deleteSearches,
  listSearches,
  listSearchPages,
  maxSearches,
  recordSearch,
} from "./history/search-history.server.ts";
export { findTrackChoice, saveTrackChoice } from "./history/track-choices.server.ts";
export {
  deleteWatchHistory,
  deleteWatchHistoryBetween,
  getSeenAndNote,
  type HistoryEnd,
  listWatchHistory,
} from "./history/watch-history.server.ts";
export {
  isWatchedIn,
  listResumePoints,
  reportProgress,
  type StoredResumePoint,
} from "./history/watch-progress.server.ts";
export { dismissTitle, undismissTitle } from "./list/dismissals.server.ts";
export { canComplete, type EntryEdit } from "./list/entry-rules.ts";
export { type ListChoices, listChoicesOf, listPageOf } from "./list/filter-and-order.ts";
export { undoImport } from "./list/import-undo.server.ts";
export { countListEntries, type ListEntryCounts } from "./list/list-counts.server.ts";
export { findOwnEntry } from "./list/list-rows.server.ts";
export { type EntryGroup, type ListSummary, summarizeList } from "./list/list-summary.ts";
export {
  countEntryTags,
  type EntryWithNote,
  type ListedEntry,
  listEntries,
  listEntryPages,
  listEntryTags,
  withListEntries,
} from "./list/listed-entries.server.ts";
export {
  findTitleEntries,
  getMemberTitles,
  getTitleStates,
  hasShownEntries,
  listBestLiked,
  listMalIdsOnList,
  type MemberTitles,
  type TitleEntries,
} from "./list/title-entries.server.ts";
export { listMembersOf, lockMembersOf, moveMembersData } from "./moved-title.server.ts";
export {
  countOpenWishes,
  deleteOldWishes,
  endWishes,
  findWishing,
  listFulfilledWishes,
  listOwnWishes,
  listWishedTitles,
  makeWish,
  maxOpenWishes,
  takesWishes,
  takeWishBack,
  type WishState,
  type WishTarget,
} from "./wishes.server.ts";
