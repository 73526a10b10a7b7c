import { mediaPath, videoProxyPath } from "#app/paths.ts";
/** Addresses of films, for whoever shows or sends them; safe in a browser. */

/**
 * `media:Show/01.mp4` names a file of MEDIA_DIR, and is played from `/media/Show/01.mp4`. All other sources are
 * addresses already.
 */
export function sourceUrlOf(url: string): string {
  const path = /^media:\/*(.*)$/is.exec(url)?.[1];
  return path === undefined ? url : mediaPath(path);
}

/** What a player's address stands for: the source as it was registered, not as the proxy is asked for it. */
export function sourceOfPlayableUrl(address: string): string {
  const [path, query = ""] = address.split("?", 2);
  return (path === videoProxyPath() && new URLSearchParams(query).get("url")) || address;
}
