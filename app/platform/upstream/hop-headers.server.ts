import { parseCookie } from "undici";

/**
 * The headers of each request in a chain of redirects. A server gets the caller's headers for that server only, and the
 * cookies that it set itself earlier in the chain.
 */

export type HeaderOptions = {
  /** The caller sets each header. Never pass on a client's headers: they may contain cookies or credentials. */
  headers?: Partial<
    Record<
      | "accept"
      | "accept-encoding"
      | "content-type"
      | "range"
      | "if-range"
      | "if-none-match"
      | "if-modified-since",
      string
    >
  >;
  /**
   * Returns headers for the server of this URL only, such as credentials. Called before every hop until it returns
   * none. After a foreign hop it is no longer called, because that server chose the redirect's target.
   */
  headersOf?: (url: URL) => Record<string, string>;
  /** Sends a cookie that a redirect sets back to its host, during this call only. */
  keepsCookies?: boolean;
};

type HopHeaders = {
  headersFor(url: URL): Record<string, string>;
  /** Stores the cookies of a redirect. */
  keep(url: URL, setCookie: string | string[] | undefined): void;
};

type Cookie = {
  /** Without the port: cookies do not distinguish ports (RFC 6265, 8.5). */
  hostname: string;
  name: string;
  value: string;
  path: string;
  /** True if the cookie came over https. It then never travels over http, even without the attribute `Secure`. */
  isFromHttps: boolean;
};

/** These limits keep a hostile server from filling the memory or the next request. */
const maxCookies = 20;
const maxCookieLength = 4096;

export function createHopHeaders({ headers = {}, headersOf, keepsCookies }: HeaderOptions): HopHeaders {
  const cookies: Cookie[] = [];
  let isAtHome = true;

  function headersFor(url: URL) {
    const homeHeaders = (isAtHome && headersOf?.(url)) || {};
    isAtHome = Object.keys(homeHeaders).length > 0;
    const cookie = joinCookies(
      homeHeaders.cookie,
      // Longer paths come first (RFC 6265, 5.4).
      cookies.filter((one) => isFor(one, url)).toSorted((one, other) => other.path.length - one.path.length),
    );
    return { ...headers, ...homeHeaders, ...(cookie !== "" && { cookie }) };
  }

  function keep(url: URL, setCookie: string | string[] | undefined) {
    if (!keepsCookies) return;
    for (const line of [setCookie ?? []].flat()) {
      const cookie = line.length <= maxCookieLength ? readCookie(line, url) : null;
      if (!cookie) continue;
      const { hostname, name, path, isFromHttps, isOver } = cookie;
      const sameName = cookies.filter((one) => one.hostname === hostname && one.name === name);
      // An http answer for this host must not replace a cookie set over https (RFC 6265bis, 5.7).
      if (!isFromHttps && sameName.some((one) => one.isFromHttps)) continue;
      const at = cookies.findIndex((one) => sameName.includes(one) && one.path === path);
      if (at >= 0) cookies.splice(at, 1);
      if (!isOver && cookies.length < maxCookies) cookies.push(cookie);
    }
  }

  return { headersFor, keep };
}

/** Ignores `Domain`: a cookie goes back only to the host that set it. */
function readCookie(
  line: string,
  { hostname, pathname, protocol }: URL,
): (Cookie & { isOver: boolean }) | null {
  const cookie = parseCookie(line);
  if (!cookie?.name || !isSendable(cookie.name) || !isSendable(cookie.value)) return null;
  const isFromHttps = protocol === "https:";
  if (cookie.secure === true && !isFromHttps) return null;
  const expires = cookie.expires === undefined ? Number.POSITIVE_INFINITY : Number(cookie.expires);
  const isOver =
    negativeMaxAge.test(line) || (cookie.maxAge === undefined ? expires <= Date.now() : cookie.maxAge <= 0);
  const path = cookie.path?.startsWith("/") ? cookie.path : pathname.replace(/\/[^/]*$/, "") || "/";
  return { hostname, name: cookie.name, value: cookie.value, path, isFromHttps, isOver };
}

/** undici omits a negative Max-Age, which deletes the cookie (RFC 6265, 5.2.2). */
const negativeMaxAge = /;\s*max-age\s*=\s*-\d+\s*(?:;|$)/i;

const isSendable = (text: string) => /^[\x20-\x3a\x3c-\x7e]*$/.test(text);

function isFor({ hostname, path, isFromHttps }: Cookie, url: URL): boolean {
  const folder = path.endsWith("/") ? path : `${path}/`;
  const isBelow = url.pathname === path || url.pathname.startsWith(folder);
  return hostname === url.hostname && isBelow && (!isFromHttps || url.protocol === "https:");
}

/** A cookie that the server set in this chain replaces the caller's cookie of the same name. */
function joinCookies(own: string | undefined, set: readonly Cookie[]): string {
  if (set.length === 0) return own ?? "";
  const names = new Set(set.map(({ name }) => name));
  const remaining = (own ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0] ?? ""));
  return [...remaining, ...set.map(({ name, value }) => `${name}=${value}`)].join("; ");
}
