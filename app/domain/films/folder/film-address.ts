import { mediaPath } from "#app/paths.ts";
import { splitRoot } from "./folders.ts";

/** How a source names a film: `media:Show/01.mp4` is a file of the operator, `/film/…` is a film that comes with the site. */

/** The path in a root that `media:Show/01.mp4` names. Null for all other URLs. */
export const mediaPathIn = (url: string): string | null => /^media:\/*([^/].*)$/is.exec(url)?.[1] ?? null;

/**
 * The path in a root that a source, subtitle or picture names. Null for all other URLs. The demonstration's films are
 * not in a root.
 */
export function rootPathOf(url: string): string | null {
  const path = mediaPathIn(url);
  if (path !== null) return path;
  const address = /^\/+media\/+([^?#]*)/i.exec(url)?.[1];
  try {
    return address === undefined ? null : address.split("/").map(decodeURIComponent).join("/");
  } catch {
    // The URL cannot be decoded, so it names no file.
    return null;
  }
}

/** A video as the operators' pages name it: the path of a file in the media folder, or the address of any other. */
export function videoText(url: string): string {
  const path = rootPathOf(url);
  return path === null ? url : splitRoot(path).inside;
}

/**
 * `media:Show/01.mp4` is a file in MEDIA_DIR and is played from `/media/Show/01.mp4`. All other sources are URLs
 * already.
 */
export function sourceUrlOf(url: string): string {
  const path = /^media:\/*(.*)$/is.exec(url)?.[1];
  return path === undefined ? url : mediaPath(path);
}

/** Whether the URL is a film of the demonstration, which is one of the static files. */
export const isDemonstrationFilm = (url: string) => /^\/film\/[^?#]+\.mkv$/.test(url);

export const isMediaUrl = (url: string) => /^media:/i.test(url);

/** Gives each file of MEDIA_DIR one spelling. Otherwise the same film could be two sources of an episode. */
export const tidyMediaUrl = (url: string) =>
  `media:${url
    .slice("media:".length)
    .replaceAll(/\/{2,}/g, "/")
    .replace(/^\//, "")}`;
