import { href } from "react-router";

/**
 * Builds every path that the site links to. No other file writes a path. `href` checks paths against routes.ts, so a
 * renamed route no longer compiles. It does not encode its parameters, so this file does.
 */

type Query = Record<string, string | number | undefined>;

export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** Signing in leads to the front page by default, so links to sign-in omit that target. */
const unlessHome = (redirectTo: string | undefined) => (redirectTo === homePath() ? undefined : redirectTo);

export const homePath = () => href("/");
export const searchPath = (query: { q?: string } = {}) => withQuery(href("/search"), query);
export const suggestionsPath = (q: string) => withQuery(href("/search/suggestions"), { q });
export const randomPath = () => href("/random");
export const schedulePath = () => href("/schedule");

/** `search` is a query string that begins with `?`, or empty. */
export const browsePath = (search = "") => href("/browse") + search;

/** Leads to the season that the query names, or to the current season. */
export const seasonsPath = () => href("/seasons/:year?/:season?");

export const seasonPath = ({ year, season }: { year: number; season: string }) =>
  href("/seasons/:year?/:season?", { year: String(year), season: season.toLowerCase() });

const maxSlugLength = 80;

/** Keeps letters and digits of any script, so that a title without Latin letters has a readable path too. */
export function slugOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  let slug = "";
  for (const letter of words) {
    if (slug.length + letter.length > maxSlugLength) break;
    slug += letter;
  }
  return slug.replace(/^-+|-+$/g, "");
}

type SluggedPage = "anime" | "franchise" | "people" | "characters";

/** Without the slug, the page redirects to its address with the slug. */
function sluggedPath(folder: SluggedPage, number: number, name: string) {
  const [id, slug] = [String(number), encodeURIComponent(slugOf(name))];
  return href(`/${folder}/:id/:slug?`, slug === "" ? { id } : { id, slug });
}

export const titlePath = (malId: number, title: string) => sluggedPath("anime", malId, title);
export const franchisePath = (number: number, name: string) => sluggedPath("franchise", number, name);
export const personPath = (id: number, name: string) => sluggedPath("people", id, name);
export const characterPath = (id: number, name: string) => sluggedPath("characters", id, name);

/** The page at `path`, with `redirectTo` and with the title that signing in adds to the list. */
export const pathAdding = (path: string, malId: number) => withQuery(path, { add: malId });

/** Separates the path and the title that `pathAdding` joined. */
export function splitAddition(target: string): { path: string; malId: number | null } {
  const url = new URL(target, "http://site.invalid");
  const added = url.searchParams.get("add");
  if (added === null) return { path: target, malId: null };
  url.searchParams.delete("add");
  return {
    path: url.pathname + url.search + url.hash,
    malId: /^[1-9]\d{0,8}$/.test(added) ? Number(added) : null,
  };
}

/** The title's page, whose answer to an edit of the list leads back to this episode. */
export const editFromEpisodePath = (path: string, episode: number) => withQuery(path, { episode });

/** The site's own title, whose episodes play before an operator has set anything up. */
export const demonstrationId = 900_000_001;

export const watchPath = (malId: number, episode: number) =>
  href("/watch/:id/:episode", { id: String(malId), episode: String(episode) });

/** `search` as for `browsePath`. */
export const listPath = (search = "") => href("/list") + search;
/** `redirectTo`: the page that the import returns to. `from`: the list is fetched from AniList by a name. */
export const listImportPath = (
  query: { undo?: string; from?: "anilist"; redirectTo?: string | undefined } = {},
) => withQuery(href("/list/import"), query);
export const historyPath = (query: { before?: string } = {}) => withQuery(href("/history"), query);
/** Names the message that the page of wishes shows after a change. */
export type WishesNotice = "made" | "taken-back";
export const wishesPath = (query: { notice?: WishesNotice } = {}) => withQuery(href("/wishes"), query);
/** The number of a page of the favorites. The first page has no number in its address. */
type FavoritesPage = { favorites?: number | undefined };
const unlessFirst = (page: number | undefined) => (page === 1 ? undefined : page);
export const profilePath = ({ favorites }: FavoritesPage = {}) =>
  withQuery(href("/profile"), { favorites: unlessFirst(favorites) });
export const profileEditPath = ({ favorites, ...query }: FavoritesPage & { saved?: "1"; q?: string } = {}) =>
  withQuery(href("/profile/edit"), { ...query, favorites: unlessFirst(favorites) });
/**
 * `redirectTo`: the page that a browser without scripts returns to, after success and after a refusal. `profile`:
 * another profile of the owner's household. `remove`: the picture is removed, and none is sent.
 */
export const profilePicturePath = (query: {
  kind: "avatar" | "banner";
  redirectTo?: string;
  profile?: string | undefined;
  remove?: "1";
}) => withQuery(href("/profile/picture"), query);
export const aboutDataPath = () => href("/about/data");
export const aboutPrivacyPath = () => href("/about/privacy");
/** The page on which people choose a profile. `enter`: the profile whose PIN the page asks for. */
export const profilesPath = ({
  redirectTo,
  enter,
}: {
  redirectTo?: string;
  enter?: string | undefined;
} = {}) => withQuery(href("/profiles"), { enter, redirectTo: unlessHome(redirectTo) });
/** Names the message that the page of the household shows after a change. */
export type HouseholdNotice = "added" | "added-chosen" | "saved" | "deleted";
export const householdPath = (query: { notice?: HouseholdNotice } = {}) =>
  withQuery(href("/profiles/manage"), query);
export const householdProfilePath = (id: string) => href("/profiles/:id", { id });
/** The titles that the household allows or blocks for its children. */
export const householdTitlesPath = (query: { notice?: HouseholdTitlesNotice } = {}) =>
  withQuery(href("/profiles/titles"), query);
export type HouseholdTitlesNotice = "allowed" | "blocked" | "removed";
export const pinPath = (query: { notice?: "saved" | "removed" } = {}) =>
  withQuery(href("/profiles/pin"), query);
export const leaveAccountPath = () => href("/profiles/leave");
/** Names the message that the settings page shows after a change. */
export type SettingsNotice =
  | `${PreferencesPart}-saved`
  | "email-changed"
  | "password-changed"
  | "password-changed-tokens-kept"
  | "session-ended"
  | "sessions-ended"
  | "token-revoked";
export const accountImportPath = () => href("/settings/import");
export const settingsPath = (query: { notice?: SettingsNotice } = {}) => withQuery(href("/settings"), query);
/**
 * The groups of settings that the forms of the settings page change. Each has a route `/settings/…` with the action.
 */
export type SettingsNoun = "preferences" | "email" | "password" | "sessions" | "tokens" | "account";
export const settingsActionPath = (noun: SettingsNoun, query: { part?: PreferencesPart } = {}) =>
  withQuery(href(`/settings/${noun}`), query);
/** The sections of the settings page that change preferences. */
export const preferencesParts = ["appearance", "content", "viewing", "playback", "privacy"] as const;
export type PreferencesPart = (typeof preferencesParts)[number];
export const visitorPath = () => href("/visitor");

export const signInPath = (
  query: { redirectTo?: string; notice?: "password-set" | "again"; error?: string } = {},
) => withQuery(href("/signin"), query);
export const signUpPath = (query: { redirectTo?: string } = {}) => withQuery(href("/signup"), query);
/** Names the message that the page shows after a screen could not be signed in. */
type LinkError = "expired" | "refused";
export const linkPath = (query: { error?: LinkError } = {}) => withQuery(href("/link"), query);
/**
 * The address in the QR code that a phone reads. The code is in the fragment, which browsers never send to a server.
 */
export const linkPathWithCode = (userCode: string) => `${linkPath()}#${userCode}`;
export const linkContinuePath = () => href("/link/continue");
export const deviceApiPath = () => href("/api/auth/device");
export const deviceTokenApiPath = () => href("/api/auth/device/token");
/** The code is in the fragment, which browsers never send to a server, so no log and no Referer contains it. */
export const invitationPath = (code: string) => `${signUpPath()}#${code}`;
export const signUpProfilePath = ({ redirectTo }: { redirectTo?: string } = {}) =>
  withQuery(href("/signup/profile"), { redirectTo: unlessHome(redirectTo) });
export const signUpTastesPath = ({ redirectTo }: { redirectTo?: string } = {}) =>
  withQuery(href("/signup/tastes"), { redirectTo: unlessHome(redirectTo) });
export const resetPath = (
  query: { notice?: "asked" | "password-removed"; token?: string; redirectTo?: string } = {},
) => withQuery(href("/reset"), query);
export const verifyPath = (query: { notice?: "verified"; token?: string } = {}) =>
  withQuery(href("/verify"), query);

/** The code is in the fragment, which browsers never send to a server. */
export const setupPath = (code?: string) => href("/setup") + (code === undefined ? "" : `#${code}`);
export const adminPath = () => href("/admin");
/** Hook requests carry their own secret instead of a session. */
export const hookPatterns = [
  "/api/hooks/:program",
  "/api/hooks/:program/:secret",
] as const satisfies readonly Parameters<typeof href>[0][];
export const hookPath = (program: string) => href("/api/hooks/:program", { program });

/**
 * The poster of a title. The route draws a poster if the title has no picture or the picture cannot be fetched. `mark`
 * gives a changed picture another address. `lang` is the language of the name on a drawn poster, if it is not the
 * catalog's own name.
 */
export const posterPath = (malId: number, widthPx: number) => posterPathsOf(malId)(widthPx);
/** Returns the poster's path for each width. A card requests six widths of the same poster. */
export function posterPathsOf(malId: number, mark?: string, lang?: "en"): (widthPx: number) => string {
  const path = href("/poster/:id.webp", { id: String(malId) });
  const version = mark === undefined ? "" : `&v=${encodeURIComponent(mark)}`;
  const end = lang === undefined ? version : `${version}&lang=${lang}`;
  return (widthPx) => `${path}?w=${widthPx}${end}`;
}
/**
 * The widths that have a path without a query. The letter after the id names the width: `t` small, none ordinary, `l`
 * large.
 */
export const posterFileWidths = { t: 160, "": 400, l: 640 } as const;
type PosterSize = keyof typeof posterFileWidths;
export const posterFilePaths = (malId: number, size: PosterSize) => {
  const id = `${malId}${size}`;
  return { jpg: href("/poster/:id.jpg", { id }), webp: href("/poster/:id.webp", { id }) };
};
export const storedImagePath = (cid: string) => href("/ipfs/:cid", { cid });
export const isStoredImagePath = (path: string) => path.startsWith(storedImagePath(""));
export const imageProxyPath = (url: string, widthPx: number, signature?: string) =>
  withQuery(href("/api/proxy"), { url, w: widthPx, q: 70, sig: signature });
export const videoProxyPath = () => href("/api/videoProxy");
/** `stream`: one of several languages in the same file. */
export const captionsPath = (id: string, form: "vtt" | "ass" | "sup", stream = 0) =>
  href("/captions/:file", { file: `${id}${stream === 0 ? "" : `-${stream}`}.${form}` });
/** The one Japanese typeface of the site, a file of the browser build. */
export const japaneseFontPath = () => "/fonts/MPLUS1p-ExtraBold.ttf";
/** A film of MEDIA_DIR as it is. */
export const filmPath = (film: string) => href("/film/:film", { film });
/** A playlist of one line with a signed address, for a player outside the browser. */
export const externalPlayerPath = (film: string, name: string) =>
  withQuery(href("/film/:film/open.m3u", { film }), { name });
/** Addresses that carry a pass instead of a session. */
export const signedPatterns = [
  "/signed/:pass/film/:film",
  "/signed/:pass/film/:film/:part",
  "/signed/:pass/play/:film/:version/:name",
  "/signed/:pass/captions/:file",
] as const satisfies readonly Parameters<typeof href>[0][];
/** `path`: a film, a part of it or subtitles. Relative addresses in a playlist keep the pass. */
export const signedPath = (pass: string, path: string) => `/signed/${pass}${path}`;
/**
 * The path as the log writes it: without the pass of a signed address and without the secret of a hook, however it is
 * spelled.
 */
export function pathWithoutSecret(path: string): string {
  const [, before = "", first = "", after = ""] = /^(\/+([^/]+)\/+)[^/]*(.*)$/s.exec(path) ?? [];
  if (decodedOrSame(first).toLowerCase() === "signed") return `${before}…${after}`;
  const [, hook = "", api = "", hooks = ""] = /^(\/+([^/]+)\/+([^/]+)\/+[^/]+\/+)./s.exec(path) ?? [];
  const isHook = decodedOrSame(api).toLowerCase() === "api" && decodedOrSame(hooks).toLowerCase() === "hooks";
  return isHook ? `${hook}…` : path;
}

/** The text itself if it is not valid percent-encoding. */
export function decodedOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
/** The address that names a file by its path relative to MEDIA_DIR. Only operators use it. */
export const mediaPath = (file: string) =>
  href("/media/*", { "*": file.split("/").map(encodeURIComponent).join("/") });

export const packagedFilmPath = (film: string, version: string, name: string) =>
  href("/play/:film/:version/:name", { film, version, name });

export const apiGuidePath = () => href("/api");
export const openapiPath = () => href("/api/openapi.json");
export const searchHistoryApiPath = (query: { limit: number }) =>
  withQuery(href("/api/user/searchHistory"), query);
export const progressApiPath = () => href("/api/user/progress");
export const trackChoiceApiPath = () => href("/api/user/trackChoice");
export const listExportApiPath = (format: "xml" | "json" | "anilist") =>
  withQuery(href("/api/user/watchList/export"), { format });
export const accountExportApiPath = () => href("/api/user/export");
export const signUpApiPath = () => href("/api/auth/signup");
export const signInApiPath = () => href("/api/auth/signin");
export const sessionApiPath = () => href("/api/auth/session");
export const resetApiPath = () => href("/api/auth/reset");
export const resetConfirmApiPath = () => href("/api/auth/reset/confirm");
export const verifyApiPath = () => href("/api/auth/verify");
export const catalogChangesPath = () => href("/api/catalog/changes");
export const healthPath = () => href("/healthz");
export const readinessPath = () => href("/readyz");
export const signOutApiPath = () => href("/api/auth/signout");
export const providerApiPath = () => href("/api/auth/provider");
/** The address to which the identity provider sends the browser back. */
export const providerCallbackPath = () => href("/api/auth/callback");

/** The folder of the API in Jikan's shapes. */
export const jikanPath = () => "/v4";
export const jikanOpenapiPath = () => href("/v4/openapi.json");
export const jikanProducerPath = (id: number) => href("/v4/producers/:id", { id: String(id) });
export const jikanGenrePath = (id: number) => withQuery(href("/v4/anime"), { genres: id });
