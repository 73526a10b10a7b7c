/** The door of films on the server: the operator's folder, the records of its films, and what each film contains. */

export { SilentFolder } from "./folder/answering-folder.server.ts";
export {
  type BrowsedFolder,
  browseFolders,
  liesIn,
  mayChooseRoots,
  placeOfChosenFolder,
} from "./folder/choosable-folders.server.ts";
export {
  isDemonstrationFilm,
  mediaPathIn,
  rootPathOf,
  sourceUrlOf,
  tidyMediaUrl,
} from "./folder/film-address.ts";
export {
  type FoundFile,
  type FoundFilm,
  isInDiscFolder,
  type SearchedFolder,
  type SearchedRoot,
  searchDiskFolder,
  searchFolder,
} from "./folder/film-folder.server.ts";
export { ChildError, canReadFilms, isFilmQueueFull, orderFilm } from "./folder/film-workers.server.ts";
export { findRootsTrouble, listRootStates, type RootState } from "./folder/folder-state.server.ts";
export { firstRoot, folderOf, foldersOf, joinRoot, splitRoot } from "./folder/folders.ts";
export {
  type FilmFile,
  findFilmFile,
  findMediaFile,
  isWithheldFile,
  type MediaFile,
  noSuchFilmRefusal,
  openMediaFile,
  openPartOf,
  openServedFile,
  silentFolderRefusal,
} from "./folder/media-folder.server.ts";
export {
  type FilmRoot,
  findFolderInRoots,
  hasFilmRoots,
  listFilmRoots,
  loadFilmRoots,
  readRoot,
  realRootPath,
} from "./folder/roots.server.ts";
export { isReadFilm, type ReadFilm, readFilm, saveStandIn } from "./reading/inspected-films.server.ts";
export { readUnreadFilms, startReadingFilms } from "./reading/unread-films.server.ts";
export {
  countFilms,
  countRegisteredFilms,
  type Film,
  filmColumns,
  findFilm,
  listFilmsOf,
  listFirstFilms,
  listNewestFilms,
  listPathsOfSegments,
  readKeyFrames,
  registerFilm,
  registerImportedFilms,
} from "./records/film-records.server.ts";
export {
  countPassedOver,
  isDamagedFilm,
  listPassedOver,
  savePassedOver,
} from "./records/passed-over-files.server.ts";
export { isFilmAway, listIncompleteTitles, listNewestTitles } from "./records/present-films.server.ts";
export {
  beginScan,
  endScan,
  findLastWholeScan,
  findScanRequest,
  listScans,
  recordScan,
  requestScan,
  type ScanRequest,
  stopScans,
} from "./scan-requests/scan-runs.server.ts";
export { countsText, noCounts } from "./scan-requests/scans.ts";
