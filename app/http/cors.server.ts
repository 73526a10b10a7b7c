import { env } from "../platform/env.server.ts";

/**
 * Who may read our answers from another origin: anybody what is public, without credentials; the origins of
 * CORS_ORIGINS everything of the API, with them.
 */

type Asked = { method: string; path: string; origin: string | undefined };

const shared = /^\/(?:api|media|film|poster|ipfs)(?:\/|$)/i;
const personal = /^\/api\/(?:user|auth)(?:\/|$)/i;
const media = /^\/(?:api\/(?:proxy|videoproxy)|media|film|poster|ipfs)(?:\/|$)/i;

const exposed =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Content-Range, Content-Length";

const namesOrigins = env.CORS_ORIGINS.length > 0;

/** The headers to add, each once; `Vary` is to be joined with the answer's own. */
export function corsHeaders(asked: Asked): Record<string, string> {
  if (!shared.test(asked.path)) return {};
  const vary: Record<string, string> = namesOrigins ? { Vary: "Origin" } : {};
  const grant = granted(asked);
  return {
    ...vary,
    ...grant,
    ...(grant && { "Access-Control-Expose-Headers": exposed }),
    ...(media.test(asked.path) && { "Cross-Origin-Resource-Policy": "cross-origin" }),
  };
}

/** In whose name an answer is readable: answers that differ in this are different answers to a cache. */
export const corsReader = (origin: string | undefined) =>
  namesOrigins && origin !== undefined && env.CORS_ORIGINS.includes(origin) ? origin : "*";

export function addHeaders(headers: Headers, added: Record<string, string>) {
  for (const [name, value] of Object.entries(added)) {
    if (name === "Vary") headers.append(name, value);
    else headers.set(name, value);
  }
}

function granted({ method, path, origin }: Asked): Record<string, string> | undefined {
  if (origin !== undefined && env.CORS_ORIGINS.includes(origin))
    return { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" };
  const isReading = method === "GET" || method === "HEAD";
  return isReading && !personal.test(path) ? { "Access-Control-Allow-Origin": "*" } : undefined;
}

const readingMethods = "GET, HEAD";
const allMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** The answer to OPTIONS, given ahead of limiters and guards: a browser asks it before it may say who it is. */
export function preflightHeaders({ path, origin }: Omit<Asked, "method">): Record<string, string> {
  const grant = shared.test(path) ? granted({ method: "GET", path, origin }) : undefined;
  const mayWrite = grant?.["Access-Control-Allow-Credentials"] === "true";
  return {
    ...(namesOrigins && shared.test(path) && { Vary: "Origin" }),
    ...(grant && {
      ...grant,
      "Access-Control-Allow-Methods": mayWrite ? allMethods : readingMethods,
      "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, If-Range, Range",
      "Access-Control-Max-Age": "7200",
    }),
  };
}
