/** Addresses of films, for whoever shows or sends them; safe in a browser. */

export { proxyPath } from "./playlist.ts";

/**
 * `media:Show/01.mp4` names a file of MEDIA_DIR, and is played from `/media/Show/01.mp4`. All other sources are
 * addresses already.
 */
export function ownAddressOf(url: string): string {
  const path = /^media:\/*(.*)$/is.exec(url)?.[1];
  return path === undefined ? url : `/media/${path.split("/").map(encodeURIComponent).join("/")}`;
}
