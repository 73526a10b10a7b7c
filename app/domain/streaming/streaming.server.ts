import { access } from "./proxy-access.server.ts";
import { ownAddressOf } from "./streaming.ts";

/** The front door of streaming on the server: films through the proxy, and the operator's own. */

export { listFailedPlays, recordFailedPlay } from "./failed-plays.server.ts";
export { findMediaFile, type MediaFile } from "./media-folder.server.ts";
export { playlistType } from "./media-kinds.ts";
export { type Proposal, proposeFromMediaDir, proposeSources, registerProposals } from "./proposals.server.ts";
export { type Media, openVideo, type Playlist, type Video, type Viewer } from "./proxied-video.server.ts";
export {
  addSource,
  addSubtitles,
  deleteSource,
  deleteSubtitles,
  listSources,
  listSubtitles,
  type Place,
  type RegisteredSource,
  replaceSkips,
  updateSource,
} from "./sources.server.ts";

/** Where a player of ours gets a source from: the site itself, or the proxy's address, signed where need be. */
export function playableAddress(source: string): string {
  const address = ownAddressOf(source);
  return /^https?:/i.test(address) ? access.addressOf(address) : address;
}
