import { access } from "./proxy/proxy-access.server.ts";
import { listSourcesWithHeaders } from "./sources/source-headers.server.ts";
import type { EpisodeKey } from "./sources/sources.server.ts";
import { sourceUrlOf } from "./streaming.ts";

/** The front door of streaming on the server: the video proxy, the operator's films, registered sources. */

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

/**
 * The path or URL that a player loads: http(s) sources go through the video proxy, all others are on this site.
 * `sourceId` is for a source with headers, which the proxy then sends.
 */
export function playableUrl(source: string, sourceId?: string): string {
  const url = sourceUrlOf(source);
  return /^https?:/i.test(url) ? access.addressOf(url, sourceId) : url;
}

/** Returns `playableUrl` for the sources of one episode. Give it only to viewers who may watch the episode. */
export async function playableUrlsOf(episode: EpisodeKey): Promise<(source: string) => string> {
  const ids = await listSourcesWithHeaders(episode);
  return (source) => playableUrl(source, ids.get(source));
}
