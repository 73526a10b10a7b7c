import { mediaPath, videoProxyPath } from "#app/paths.ts";
import { sourceHeaderNames } from "#db/schema/enumerations.ts";

export { sourceHeaderNames };
export type SourceHeaderName = (typeof sourceHeaderNames)[number];

export type { EpisodeWithFilms, FilmContents, FilmReport, ListedFilm } from "./playable-episode.ts";

/** The site accepts the value of such a header but never shows it again. */
export const isSecretHeader = (name: SourceHeaderName) => name === "Cookie" || name === "Authorization";

/**
 * `media:Show/01.mp4` is a file in MEDIA_DIR and is played from `/media/Show/01.mp4`. All other sources are URLs
 * already.
 */
export function sourceUrlOf(url: string): string {
  const path = /^media:\/*(.*)$/is.exec(url)?.[1];
  return path === undefined ? url : mediaPath(path);
}

export { type DecidedFilm, decisionText, type OpenFilm, type OpenFolder } from "./deciding/open-films.ts";
export { openFilmsText } from "./films/open-films.ts";
export {
  countsText,
  isScanUnderWay,
  noCounts,
  type Scan,
  type ScanCounts,
  scanReasonTexts,
  scanText,
} from "./scanning/scans.ts";
export { listLanguages, type SubtitleRole } from "./subtitles/subtitle-names.ts";

/** A film that comes with the site, beside its other files. */
export const isOwnFilm = (url: string) => /^\/film\/[^?#]+\.mkv$/.test(url);

export const isMediaUrl = (url: string) => /^media:/i.test(url);

/** Each file of MEDIA_DIR has one spelling, or the same film could be two sources of an episode. */
export const tidyMediaUrl = (url: string) =>
  `media:${url
    .slice("media:".length)
    .replaceAll(/\/{2,}/g, "/")
    .replace(/^\//, "")}`;

/** Turns the URL that a player loaded back into the source as it is registered. */
export function sourceOfPlayableUrl(playableUrl: string): string {
  const [path, query = ""] = playableUrl.split("?", 2);
  return (path === videoProxyPath() && new URLSearchParams(query).get("url")) || playableUrl;
}
