import { homePath, signInPath, signUpPath } from "#app/paths.ts";

/**
 * The target after sign-in: a path of this site, or the front page. Browsers read `\` as `/` and drop tabs and line
 * breaks, so the target is parsed as a browser does before it is checked. Otherwise a link could lead members to
 * another site.
 */
export function safeRedirectTarget(requested: unknown, ownOrigin?: string): string {
  const fallback = homePath();
  const path = withoutOrigin(requested, ownOrigin);
  if (typeof path !== "string" || !/^\/(?![/\\])/.test(path) || path.length > 2048) return fallback;
  if (hasControlCharacter(path) || !path.isWellFormed()) return fallback;
  if (!URL.canParse(path, placeholder)) return fallback;
  const url = new URL(path, placeholder);
  if (url.origin !== placeholder) return fallback;
  const target = `${url.pathname}${url.search}${url.hash}`;
  return target.startsWith("//") || isSignInPage(url.pathname) ? fallback : target;
}

/** Accepts an absolute URL of this site as its path. */
function withoutOrigin(requested: unknown, ownOrigin: string | undefined): unknown {
  if (ownOrigin === undefined || typeof requested !== "string" || !requested.startsWith(ownOrigin))
    return requested;
  return requested.slice(ownOrigin.length) || "/";
}

const placeholder = "http://site.invalid";

const hasControlCharacter = (text: string) => [...text].some((character) => character.charCodeAt(0) < 0x20);

/** A redirect back to a sign-in page would look as if the sign-in had failed. */
const isSignInPage = (pathname: string) =>
  [signInPath(), signUpPath()].includes(pathname.toLowerCase().replace(/\/$/, ""));
