/** The door of the video proxy on the server: video and playlists of other servers, and who may request them. */

export { readDirectives } from "#app/media/hls/delivery-directives.ts";
export { type ChildKey, childKeyOf, titleOfSignature } from "./access/expiring-signatures.server.ts";
export { videoProxyAccess } from "./access/proxy-access.server.ts";
export {
  type MediaAnswer,
  openVideo,
  type PlaylistAnswer,
  type VideoAnswer,
} from "./answering/proxied-video.server.ts";
export {
  checkHeaders,
  deleteHeadersOfOtherOrigin,
  type HeaderChange,
  isOwnServer,
  listSourceHeaders,
  listSourcesWithHeaders,
  type ShownHeader,
  type SourceWithHeaders,
  writeHeaders,
} from "./hosts/source-headers.server.ts";
export { rewriteFor } from "./playlists/playlist-rewriter.server.ts";
