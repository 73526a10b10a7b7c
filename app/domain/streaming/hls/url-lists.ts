import { proxyUrlOfUri, type SignUrl } from "./playlist.ts";
import { costPerUrl, createCharacterBudget, PlaylistTooLargeError } from "./playlist-budget.ts";

/**
 * The JSON that playlists point to and that names addresses itself: steering manifests and asset lists (RFC 8216bis,
 * 7.2 and appendix D). Pure.
 */

export const urlListType = "application/json";

export const isJsonLabel = (named: string) =>
  /^(?:application|text)\/(?:json|vnd\.apple\.steering-list|[\w.-]+\+json)$/.test(named);

/** By what stands at the beginning; other JSON is nothing to change. */
export const startsUrlList = (head: string) =>
  /^\s*\{/.test(head) &&
  /"(?:ASSETS|SKIP-CONTROL|TTL|RELOAD-URI|PATHWAY-PRIORITY|PATHWAY-CLONES)"\s*:/.test(head);

/** The list with its addresses led through the proxy; what is no such list, as it came. Throws `PlaylistGrew`. */
export function rewriteUrlList(text: string, base: string, sign?: SignUrl): string {
  const list = parsed(text);
  if (!list) return text;
  const spend = createCharacterBudget();
  const through = (uri: string) => {
    spend(base.length + uri.length + costPerUrl);
    return proxyUrlOfUri(uri, base, sign);
  };
  const { "RELOAD-URI": reload, ASSETS: assets } = list;
  if (typeof reload === "string") list["RELOAD-URI"] = through(reload);
  // A clone puts another host into the addresses of a pathway, which are ours by now; players go on with the
  // pathways that the playlist itself names.
  delete list["PATHWAY-CLONES"];
  if (Array.isArray(assets))
    for (const asset of assets as unknown[])
      if (isObject(asset) && typeof asset.URI === "string") asset.URI = through(asset.URI);
  return written(list);
}

/** What nests deeper than can be written again is no list that anybody made for use. */
function written(list: Record<string, unknown>): string {
  try {
    return JSON.stringify(list);
  } catch {
    throw new PlaylistTooLargeError();
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
