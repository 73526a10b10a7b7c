import { parseCookie } from "undici";

/**
 * The headers of each request in one chain of redirects. A server gets the headers that the caller has for it alone,
 * and the cookies that it set itself earlier in this chain.
 */

export type HeaderOptions = {
  /** The caller sets each header. Never pass on a client's headers: they may hold cookies or credentials. */
  headers?: Partial<Record<"accept" | "accept-encoding" | "range" | "if-range" | "if-none-match", string>>;
  /**
   * Called before every hop, until it returns none: headers for the server of this URL alone, such as credentials. After a
   * foreign hop it is not called any more, because that server chose where the redirect leads.
   */
  headersOf?: (url: URL) => Record<string, string>;
  /** Sends a cookie that a redirect sets back to its host, during this call only. */
  keepsCookies?: boolean;
};

type HopHeaders = {
  headersFor(url: URL): Record<string, string>;
  /** Remembers the cookies of a redirect. */
  keep(url: URL, setCookie: string | string[] | undefined): void;
};

type Cookie = { host: string; name: string; value: string; path: string; isSecure: boolean };

/** A hostile server must not fill the memory or the next request. */
const maxCookies = 20;
const maxCookieLength = 4096;

export function createHopHeaders({ headers = {}, headersOf, keepsCookies }: HeaderOptions): HopHeaders {
  const cookies: Cookie[] = [];
  let isAtHome = true;

  function headersFor(url: URL) {
    const own = (isAtHome && headersOf?.(url)) || {};
    isAtHome = Object.keys(own).length > 0;
    const cookie = joinCookies(
      own.cookie,
      cookies.filter((one) => isFor(one, url)),
    );
    return { ...headers, ...own, ...(cookie !== "" && { cookie }) };
  }

  function keep(url: URL, setCookie: string | string[] | undefined) {
    if (!keepsCookies) return;
    for (const line of [setCookie ?? []].flat()) {
      const cookie = line.length <= maxCookieLength ? readCookie(line, url) : null;
      if (!cookie) continue;
      const { host, name, path, isOver } = cookie;
      const at = cookies.findIndex((one) => one.host === host && one.name === name && one.path === path);
      if (at >= 0) cookies.splice(at, 1);
      if (!isOver && cookies.length < maxCookies) cookies.push(cookie);
    }
  }

  return { headersFor, keep };
}

/** `Domain` is ignored: a cookie goes back only to the host that set it. */
function readCookie(line: string, { host, pathname, protocol }: URL): (Cookie & { isOver: boolean }) | null {
  const cookie = parseCookie(line);
  if (!cookie?.name || !isSendable(cookie.name) || !isSendable(cookie.value)) return null;
  const isSecure = cookie.secure === true;
  if (isSecure && protocol !== "https:") return null;
  const expires = cookie.expires === undefined ? Number.POSITIVE_INFINITY : Number(cookie.expires);
  const isOver = cookie.maxAge === undefined ? expires <= Date.now() : cookie.maxAge <= 0;
  const path = cookie.path?.startsWith("/") ? cookie.path : pathname.replace(/\/[^/]*$/, "") || "/";
  return { host, name: cookie.name, value: cookie.value, path, isSecure, isOver };
}

const isSendable = (text: string) => /^[\x20-\x3a\x3c-\x7e]*$/.test(text);

function isFor({ host, path, isSecure }: Cookie, url: URL): boolean {
  const folder = path.endsWith("/") ? path : `${path}/`;
  const isBelow = url.pathname === path || url.pathname.startsWith(folder);
  return host === url.host && isBelow && (!isSecure || url.protocol === "https:");
}

/** A cookie that the server set in this chain replaces the caller's cookie of the same name. */
function joinCookies(given: string | undefined, set: readonly Cookie[]): string {
  if (set.length === 0) return given ?? "";
  const names = new Set(set.map(({ name }) => name));
  const kept = (given ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0] ?? ""));
  return [...kept, ...set.map(({ name, value }) => `${name}=${value}`)].join("; ");
}
