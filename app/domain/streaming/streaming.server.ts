/** The front door of streaming on the server: the video proxy, the operator's films, registered sources. */

export { countConversions } from "./conversions/conversions.server.ts";
export { decideFilm, type FilmDecision, undoDecision } from "./deciding/decide.server.ts";
export {
  countOpenFilms,
  findFilmsToDecide,
  listDecisions,
  listOpenFilms,
} from "./deciding/open-films.server.ts";
export { type FilmFont, openFilmFont } from "./film-tracks/film-fonts.server.ts";
export { findFirstFilm, reportFilms, reportNewestFilms } from "./film-tracks/film-report.server.ts";
export { readFilmSubtitles } from "./film-tracks/film-subtitles.server.ts";
export { readUnreadFilms, startReadingFilms } from "./film-tracks/unread-films.server.ts";
export { findOpenFile, isForEverybody, type WantedFile } from "./films/film-door.server.ts";
export { type OpenedFilm, openFilm, openFilmPart } from "./films/film-files.server.ts";
export { findMediaDirState, findMediaDirTrouble, type MediaDirState } from "./films/folder-state.server.ts";
export { findMediaFile, type MediaFile } from "./films/media-folder.server.ts";
export { isFilmAway, listIncompleteTitles, listNewestTitles } from "./films/present-films.server.ts";
export {
  type FilmProposal,
  findInside,
  proposeSources,
} from "./films/proposals.server.ts";
export { readDirectives } from "./hls/delivery-directives.ts";
export { readHookMessage } from "./hooks/hook-payloads.ts";
export {
  isHookSecret,
  listHookSecrets,
  makeHookSecret,
  revokeHookSecret,
} from "./hooks/hook-secrets.server.ts";
export { hearOfFiles } from "./hooks/named-folders.server.ts";
export { type PackagedPart, readPackagedPart } from "./packaging/packaged-film.server.ts";
export { type ChildKey, childKeyOf } from "./proxy/child-signature.server.ts";
export {
  playableUrl,
  playableUrlOf,
  readEpisodeUrls,
} from "./proxy/playable-urls.server.ts";
export {
  type MediaAnswer,
  openVideo,
  type PlaylistAnswer,
  type VideoAnswer,
} from "./proxy/proxied-video.server.ts";
export { isWithheld } from "./proxy/withheld-urls.server.ts";
export { runRequestedScans, scanLibrary } from "./scanning/library-scan.server.ts";
export { findScanRequest, listScans, requestScan, stopScans } from "./scanning/scan-runs.server.ts";
export { startScanning, wakeScanner } from "./scanning/scan-schedule.server.ts";
export { folderEventsText } from "./scanning/watched-folder.server.ts";
export { listFailedPlays, recordFailedPlay } from "./sources/failed-plays.server.ts";
export { moveFilms } from "./sources/moved-title.server.ts";
export { type HeaderChange, listSourceHeaders, type ShownHeader } from "./sources/source-headers.server.ts";
export {
  createSource,
  createSubtitles,
  deleteSource,
  deleteSubtitles,
  type EpisodeKey,
  listSources,
  listSubtitles,
  type RegisteredSource,
  replaceSkips,
  updateSource,
  updateSourceHeaders,
} from "./sources/sources.server.ts";
export { openSubtitles } from "./subtitles/subtitle-files.server.ts";
