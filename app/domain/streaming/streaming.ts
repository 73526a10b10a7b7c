/** Addresses of films, for whoever shows or sends them; safe in a browser. */

export { proxyPath } from "./playlist.ts";

const mediaScheme = "media:";

/** `media:Show/01.mp4` names a file of MEDIA_DIR, and is played from `/media/Show/01.mp4`. */
export const isMediaSource = (url: string) => url.startsWith(mediaScheme);

/** Where the site itself serves a source, root-relative; sources elsewhere come back as they are. */
export function ownAddressOf(url: string): string {
  if (!isMediaSource(url)) return url;
  const path = url.slice(mediaScheme.length).replace(/^\/+/, "");
  return `/media/${path.split("/").map(encodeURIComponent).join("/")}`;
}
