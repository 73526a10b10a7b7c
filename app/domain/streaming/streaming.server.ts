/** The front door of streaming on the server: the video proxy, the operator's films, registered sources. */

export { type FilmFont, openFilmFont } from "./film-tracks/film-fonts.server.ts";
export { reportFilms, reportNewestFilms } from "./film-tracks/film-report.server.ts";
export { readFilmSubtitles } from "./film-tracks/film-subtitles.server.ts";
export { readUnreadFilms, startReadingFilms } from "./film-tracks/unread-films.server.ts";
export { findOpenFile, type WantedFile } from "./films/film-door.server.ts";
export { type OpenedFilm, openFilm, openFilmPart } from "./films/film-files.server.ts";
export { findMediaFile, type MediaFile } from "./films/media-folder.server.ts";
export {
  type FilmProposal,
  proposeFromMediaDir,
  proposeSources,
  registerProposals,
} from "./films/proposals.server.ts";
export { readDirectives } from "./hls/delivery-directives.ts";
export { type PackagedPart, readPackagedPart } from "./packaging/packaged-film.server.ts";
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
