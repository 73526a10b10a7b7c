import { homePath, signInPath, signUpPath } from "#app/paths.ts";
/**
 * Where to send a browser after signing in: a path of our own site, or the front page. Browsers read `\` as `/` and drop
 * tabs and line breaks, so the target is judged after the URL parser has read it as they would.
 */
export function safeRedirectTarget(asked: unknown, ownOrigin?: string): string {
  const fallback = homePath();
  const wanted = withoutOrigin(asked, ownOrigin);
  if (typeof wanted !== "string" || !/^\/(?![/\\])/.test(wanted) || wanted.length > 2048) return fallback;
  if (hasControlCharacter(wanted) || !wanted.isWellFormed()) return fallback;
  if (!URL.canParse(wanted, placeholder)) return fallback;
  const url = new URL(wanted, placeholder);
  if (url.origin !== placeholder) return fallback;
  const target = `${url.pathname}${url.search}${url.hash}`;
  return target.startsWith("//") || isSignInItself(url.pathname) ? fallback : target;
}

/** Our own address in full means its path. */
function withoutOrigin(asked: unknown, ownOrigin: string | undefined): unknown {
  if (ownOrigin === undefined || typeof asked !== "string" || !asked.startsWith(ownOrigin)) return asked;
  return asked.slice(ownOrigin.length) || "/";
}

const placeholder = "http://site.invalid";

const hasControlCharacter = (text: string) => [...text].some((character) => character.charCodeAt(0) < 0x20);

/** Coming back to the page that sent one away would look as if signing in had failed. */
const isSignInItself = (pathname: string) =>
  [signInPath(), signUpPath()].includes(pathname.toLowerCase().replace(/\/$/, ""));
