/** Where a request points, from its request line and its Host (RFC 9112, sections 3.2 and 3.3). */

type RequestTarget = {
  /** As sent, from the first slash on: not decoded, not normalised. */
  path: string;
  /** With its question mark, or empty. */
  query: string;
  /** Host and port in lower case; undefined where neither the request line nor a Host header names one. */
  host: string | undefined;
};

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;
const hostSyntax = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/;

/** Null: no request target that this server could answer. */
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
  if (host === null || unaskable.test(rest)) return null;
  const queryAt = rest.indexOf("?");
  const path = queryAt < 0 ? rest : rest.slice(0, queryAt);
  if (path.includes("%00") || !isDecodable(path)) return null;
  return { path, query: queryAt < 0 ? "" : rest.slice(queryAt), host };
}

export function canonicalHost(host: string): string | null {
  const lower = host.toLowerCase();
  return hostSyntax.test(lower) ? lower : null;
}

/** Fragments never leave a browser. */
const unaskable = /[^\x21-\x7e]|#/;

function isDecodable(path: string) {
  if (!path.includes("%")) return true;
  try {
    // A result that nobody reads is left out by the bundler, and the call with it.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
