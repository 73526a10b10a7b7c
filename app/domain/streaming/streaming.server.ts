/** The front door of streaming on the server: the video proxy, the operator's films, registered sources. */

export { findMediaFile, type MediaFile } from "./films/media-folder.server.ts";
export {
  type FilmProposal,
  proposeFromMediaDir,
  proposeSources,
  registerProposals,
} from "./films/proposals.server.ts";
export { readDirectives } from "./hls/delivery-directives.ts";
export { playableUrl, playableUrlOf, readEpisodeUrls } from "./proxy/playable-urls.server.ts";
export {
  type MediaAnswer,
  openVideo,
  type PlaylistAnswer,
  type VideoAnswer,
} from "./proxy/proxied-video.server.ts";
export { listFailedPlays, recordFailedPlay } from "./sources/failed-plays.server.ts";
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
