import { costPerUrl, createCharacterBudget, PlaylistTooLargeError } from "#app/media/hls/playlist-budget.ts";
import { parseJson } from "#app/platform/parse-json.ts";
import { isPlainObject } from "#app/platform/plain-object.ts";
import type { SignUrl } from "../addresses/proxy-url.ts";
import { proxyUrlOfUri } from "./playlist.ts";

/**
 * Rewrites the URLs in JSON that playlists point to: steering manifests and asset lists (RFC 8216bis, 7.2 and appendix
 * D).
 */

/** Points the URLs of the list to the proxy. Returns other text unchanged. Throws `PlaylistTooLargeError`. */
export function rewriteUrlList(
  text: string,
  base: string,
  sign: SignUrl | undefined,
  spend = createCharacterBudget(),
): string {
  const list = parseObject(text);
  if (!list) return text;
  const toProxyUrl = (uri: string) => {
    spend(base.length + uri.length + costPerUrl);
    return proxyUrlOfUri(uri, base, sign);
  };
  const { "RELOAD-URI": reload, ASSETS: assets } = list;
  if (typeof reload === "string") list["RELOAD-URI"] = toProxyUrl(reload);
  // A pathway clone tells the player to put another host into URLs, but these are proxy URLs now. Without clones,
  // players use the pathways that the playlist names.
  delete list["PATHWAY-CLONES"];
  if (Array.isArray(assets))
    for (const asset of assets as unknown[])
      if (isPlainObject(asset) && typeof asset.URI === "string") asset.URI = toProxyUrl(asset.URI);
  return stringify(list);
}

/** `JSON.stringify` overflows the stack on deeply nested JSON, which only a hostile list contains. */
function stringify(list: Record<string, unknown>): string {
  try {
    return JSON.stringify(list);
  } catch {
    throw new PlaylistTooLargeError();
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return isPlainObject(value) ? value : null;
}
