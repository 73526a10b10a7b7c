import { createCharacterBudget, rewriteOrNull } from "#app/media/hls/playlist-budget.ts";
import { playlistTag, playlistText } from "#app/media/hls/playlist-bytes.server.ts";
import { isLivePlaylist } from "#app/media/hls/playlist-kinds.ts";
import { mebibytes } from "#app/platform/units.ts";
import { type ChildKey, referenceTo, signForChild } from "../access/expiring-signatures.server.ts";
import { videoProxyAccess } from "../access/proxy-access.server.ts";
import { readDefinitions } from "../addresses/proxy-url.ts";
import { rewritePlaylist } from "./playlist.ts";
import { rewriteUrlList } from "./url-lists.ts";

/** Turns the bytes of a playlist into the bytes that a viewer gets. Runs in this process or on a thread. */

export type RewriteJob = {
  kind: "playlist" | "url list";
  bytes: Uint8Array;
  /** The URL of the playlist after all redirects. */
  base: string;
  definitions: readonly string[];
  /** The source whose headers the URLs in the playlist need. */
  sourceId: string | undefined;
  /** The child that the playlist is for. */
  child: ChildKey | undefined;
};

export type RewrittenPlaylist = { bytes: Buffer; tag: string; isLive: boolean };

/** The largest real playlists, of a day in segments of two seconds, have half of this length. */
const maxRewrittenLength = mebibytes(16);

/** Null if the playlist grows too much, or if rewriting it costs more than `maxCharacters`. */
export function rewriteBytes(
  { kind, bytes, base, definitions, sourceId, child }: RewriteJob,
  maxCharacters?: number,
): RewrittenPlaylist | null {
  const received = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const original = playlistText(received);
  const isList = kind === "url list";
  const sign = videoProxyAccess.signFor(sourceId, child);
  const spend = createCharacterBudget(maxCharacters);
  const rewritten = rewriteOrNull(() =>
    isList
      ? rewriteUrlList(original, base, sign, spend)
      : rewritePlaylist(original, base, readDefinitions(definitions), sign, spend),
  );
  if (rewritten === null || rewritten.length > maxRewrittenLength) return null;
  return {
    bytes: Buffer.from(rewritten),
    tag: playlistTag(received, base, [
      ...definitions,
      // The references and signatures in the playlist expire, so a copy with older ones must not count as unchanged.
      ...(sourceId === undefined ? [] : [referenceTo({ sourceId, url: "", definitions: [] })]),
      ...(child === undefined ? [] : [signForChild({ child, url: "", definitions: [] })]),
    ]),
    // Asset lists and steering manifests are made for one viewer at one time, so they must not be cached long.
    isLive: isList || isLivePlaylist(original),
  };
}
