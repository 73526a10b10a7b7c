import { optional, variable, wholeNumber } from "../process/variable-values.ts";

/** How many requests one client may send. */
export const rateLimitVariables = {
  RATE_LIMIT_POINTS: variable(
    wholeNumber(1, 1_000_000),
    "Requests of one client that a limited endpoint accepts in one window",
    { default: "100" },
  ),
  RATE_LIMIT_SECONDS: variable(wholeNumber(1, 86_400), "Length of that window in seconds", { default: "60" }),
  RATE_LIMIT_AUTH_POINTS: optional(wholeNumber(1, 1_000_000), "RATE_LIMIT_POINTS for sign-up and sign-in"),
  RATE_LIMIT_CATALOG_POINTS: optional(
    wholeNumber(1, 1_000_000),
    "RATE_LIMIT_POINTS for the catalog; the search field of the site may ask six times as often",
  ),
  RATE_LIMIT_IMAGE_SECONDS: variable(
    wholeNumber(1, 86_400),
    "Seconds of converting pictures that one client may cause in a minute",
    { default: "30" },
  ),
  RATE_LIMIT_PLAYLIST_SECONDS: variable(
    wholeNumber(1, 86_400),
    "Seconds of rewriting playlists that one client may cause in a minute",
    { default: "10" },
  ),
  RATE_LIMIT_PAGE_POINTS: optional(
    wholeNumber(1, 1_000_000),
    "RATE_LIMIT_POINTS for pages and their data; unset: five times RATE_LIMIT_POINTS",
  ),
  RATE_LIMIT_VIDEO_POINTS: optional(wholeNumber(1, 1_000_000), "RATE_LIMIT_POINTS for the video proxy"),
};
