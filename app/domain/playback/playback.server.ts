/** The door of playback on the server: the sources of an episode for a viewer, packaged films, and conversions. */

export { listLanguages } from "#app/media/subtitles/subtitle-names.ts";
export { countConversions } from "./conversions/conversions.server.ts";
export { minFilmCacheMb } from "./conversions/film-cache-size.ts";
export { reportFilms, reportFirstFilm, reportNewestFilms } from "./episodes/film-report.server.ts";
export {
  playableUrl,
  playableUrlOf,
  readPlayableEpisode,
  readReferencedUrls,
} from "./episodes/playable-urls.server.ts";
export { isFilmSubtitleForm } from "./offers/listed-subtitles.ts";
export type { EpisodeWithFilms } from "./offers/playable-episode.ts";
export { openBitmaps } from "./packaged/bitmap-files.server.ts";
export { openFilmFont } from "./packaged/film-fonts.server.ts";
export { readFilmSubtitles } from "./packaged/film-subtitles.server.ts";
export type { PartAddress } from "./packaged/film-version.server.ts";
export { readPackagedPart } from "./packaged/packaged-film.server.ts";
export { prepareFilm } from "./packaged/preparation.server.ts";
export { openSubtitles } from "./packaged/subtitle-files.server.ts";
export {
  readServedFilm,
  readServedPart,
  type ServedFilm,
  type ServedFilmRequest,
} from "./served-files/film-files.server.ts";
export { findOpenFile, isForEverybody, type WantedFile } from "./served-files/opaque-files.server.ts";
export { listFailedPlays, recordFailedPlay } from "./sources/failed-plays.server.ts";
export {
  createSource,
  createSubtitles,
  deleteSource,
  deleteSubtitles,
  type EpisodeKey,
  listSources,
  listSubtitles,
  proposeSources,
  type RegisteredSource,
  replaceSkips,
  updateSource,
  updateSourceHeaders,
} from "./sources/sources.server.ts";
