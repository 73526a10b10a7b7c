/** The door of films for code that also runs in browsers: their addresses, and texts about scans and films. */

export { isMediaUrl, videoText } from "./folder/film-address.ts";
export { isWholeRoot, pathEndOf } from "./folder/folders.ts";
export {
  type PassedOver,
  passedOverTexts,
  type UnreadableReason,
  unreadableFilmTexts,
  unreadableOf,
} from "./folder/passed-over.ts";
export { filmsForAnybodyText } from "./records/public-films.ts";
export {
  isScanUnderWay,
  type Scan,
  type ScanCounts,
  scanReasonTexts,
  scanText,
} from "./scan-requests/scans.ts";
