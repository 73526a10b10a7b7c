/** Addresses of films, for whoever shows or sends them; safe in a browser. */

import { proxyPath } from "./playlist.ts";

export { proxyPath };

/**
 * `media:Show/01.mp4` names a file of MEDIA_DIR, and is played from `/media/Show/01.mp4`. All other sources are
 * addresses already.
 */
export function ownAddressOf(url: string): string {
  const path = /^media:\/*(.*)$/is.exec(url)?.[1];
  return path === undefined ? url : `/media/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** What a player's address stands for: the source as it was registered, not as the proxy is asked for it. */
export function sourceBehind(address: string): string {
  const [path, query = ""] = address.split("?", 2);
  return (path === proxyPath && new URLSearchParams(query).get("url")) || address;
}
