/** Where a request points, from its request line and its Host (RFC 9112, sections 3.2 and 3.3). */

export type Target = {
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
export function parseTarget(raw: string, hostHeader: string | undefined): Target | null {
  let rest = raw;
  let authority = hostHeader;
  if (!rest.startsWith("/")) {
    const absolute = absoluteForm.exec(rest);
    if (!absolute) return null;
    authority = absolute[1] ?? "";
    rest = absolute[2]?.startsWith("/") ? absolute[2] : `/${absolute[2] ?? ""}`;
  }
  const host = authority === undefined ? undefined : canonicalHost(authority);
  const text = readable(rest);
  if (host === null || text === null) return null;
  const queryAt = text.indexOf("?");
  const path = queryAt < 0 ? text : text.slice(0, queryAt);
  if (!isDecodable(path)) return null;
  return { path, query: queryAt < 0 ? "" : text.slice(queryAt), host };
}

export function canonicalHost(host: string): string | null {
  const lower = host.toLowerCase();
  return hostSyntax.test(lower) ? lower : null;
}

const unprintable = /[^\x21-\x7e]/;

/** NUL has no place in an address; raw bytes above ASCII are taken as the UTF-8 that people type into curl. */
function readable(text: string): string | null {
  if (text.includes("#") || text.includes("%00")) return null;
  if (!unprintable.test(text)) return text;
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
    return /\p{Cc}|\s/u.test(decoded) ? null : encodeURI(decoded).replaceAll("%25", "%");
  } catch {
    return null;
  }
}

function isDecodable(path: string) {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
