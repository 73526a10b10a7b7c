import { decodePercent } from "#app/platform/percent-decoding.ts";

/** Reads path, query and host from the request line and the Host header (RFC 9112, sections 3.2 and 3.3). */

type RequestTarget = {
  /** The path as the client sent it, from the first slash: not decoded, not normalised. */
  path: string;
  /** Begins with `?`, or is empty. */
  query: string;
  /** Host and port in lower case; undefined if neither the request line nor a Host header has one. */
  host: string | undefined;
};

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;
const hostSyntax = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/;

/** Null if the request target or Host is invalid. */
export function parseRequestTarget(
  method: string,
  raw: string,
  hostHeader: string | undefined,
): RequestTarget | null {
  let rest = raw;
  let authority = hostHeader;
  if (rest === "*" && method === "OPTIONS") rest = "/*";
  if (!rest.startsWith("/")) {
    const absolute = absoluteForm.exec(rest);
    if (!absolute) return null;
    authority = absolute[1] ?? "";
    rest = absolute[2]?.startsWith("/") ? absolute[2] : `/${absolute[2] ?? ""}`;
  }
  const host = authority === undefined ? undefined : canonicalHost(authority);
  if (host === null || invalidInTarget.test(rest)) return null;
  const queryAt = rest.indexOf("?");
  const path = queryAt < 0 ? rest : rest.slice(0, queryAt);
  if (path.includes("%00") || !isDecodable(path) || hasTooManySegments(path)) return null;
  return { path, query: queryAt < 0 ? "" : rest.slice(queryAt), host };
}

export function canonicalHost(host: string): string | null {
  const lower = host.toLowerCase();
  return hostSyntax.test(lower) ? lower : null;
}

/** Everything except printable ASCII, and also `#`, since browsers never send a fragment. */
const invalidInTarget = /[^\x21-\x7e]|#/;

/**
 * More segments than any path of the site has. A request resolves backslashes to slashes, and the router's time grows
 * with the square of the slashes in a row.
 */
const maxSegments = 256;
const hasTooManySegments = (path: string) =>
  path.length > maxSegments && path.split(/[\\/]/, maxSegments + 1).length > maxSegments;

/** The router fails on line ends, because its patterns for the rest of a path do not match them. */
const lineEnd = /[\n\r\u2028\u2029]/;

function isDecodable(path: string) {
  if (!path.includes("%")) return true;
  const decoded = decodePercent(path);
  return decoded !== null && !lineEnd.test(decoded);
}
