import { access } from "./proxy/proxy-access.server.ts";
import { sourceUrlOf } from "./streaming.ts";

/** The front door of streaming on the server: films through the proxy, and the operator's own. */

export { findMediaFile, type MediaFile } from "./films/media-folder.server.ts";
export {
  type FilmProposal,
  proposeFromMediaDir,
  proposeSources,
  registerProposals,
} from "./films/proposals.server.ts";
export {
  type MediaAnswer,
  openVideo,
  type PlaylistAnswer,
  type VideoAnswer,
} from "./proxy/proxied-video.server.ts";
export { listFailedPlays, recordFailedPlay } from "./sources/failed-plays.server.ts";
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
} from "./sources/sources.server.ts";

/** Where a player of ours gets a source from: the site itself, or the proxy's address, signed where need be. */
export function playableUrl(source: string): string {
  const address = sourceUrlOf(source);
  return /^https?:/i.test(address) ? access.addressOf(address) : address;
}
