import { cacheHeaders, noStore } from "../cache-policy.server.ts";
import { busyHeaders, busyText } from "../endpoint/error-response.server.ts";
import type { Body } from "../server/stream-writing.server.ts";

/** An answer ready for the socket. `headers` alternates names and values, the form that Node writes fastest. */
export type Answer = {
  status: number;
  headers: string[];
  body: Body;
  /** The part that made the answer, for logs and metrics. */
  source: "file" | "cache" | "router" | "server";
  /** A page or its data. */
  isPage?: boolean;
  /** For proxies that fetch the answer inside the process: both say who may get it and whether it may be cached. */
  isPublic?: boolean;
  isFromPrivateUpstream?: boolean;
};

export const flatHeadersOf = (record: Record<string, string>): string[] => Object.entries(record).flat();

export function flattenHeaders(headers: Headers): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  return flat;
}

export const jsonError = (status: number, error: string, headers: Record<string, string> = {}): Answer =>
  jsonAnswer(status, { error, status }, headers);

/** The server has no room for the request. */
export const busyAnswer = () => jsonError(503, busyText, busyHeaders);

/** An error in another JSON shape, for programs that know only that shape. */
export function jsonAnswer(status: number, json: object, headers: Record<string, string> = {}): Answer {
  const body = Buffer.from(JSON.stringify(json));
  return {
    status,
    headers: flatHeadersOf({
      "Content-Type": "application/json",
      "Content-Length": String(body.byteLength),
      ...cacheHeaders(noStore),
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "strict-origin-when-cross-origin",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      ...headers,
    }),
    body,
    source: "server",
  };
}
