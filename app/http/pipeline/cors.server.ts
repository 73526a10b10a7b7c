import { env } from "#app/platform/process/env.server.ts";
import type { Sharing } from "../sharing.ts";

/**
 * Writes what a route declared of its answers for other origins: what anyone may read, without credentials; for the
 * origins of CORS_ORIGINS all that is shared, with them.
 */

type Asked = { method: string; origin: string | undefined; sharing: Sharing };

const exposed =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Content-Range, Content-Length";

const namesOrigins = env.CORS_ORIGINS.length > 0;

/** The headers to add, each once; `Vary` is to be joined with the answer's own. */
export function corsHeaders({ method, origin, sharing }: Asked): Record<string, string> {
  if (sharing.readers === "nobody") return {};
  const vary: Record<string, string> = namesOrigins ? { Vary: "Origin" } : {};
  const grant = granted({ method, origin, sharing });
  return {
    ...vary,
    ...grant,
    ...(grant && { "Access-Control-Expose-Headers": exposed }),
    ...(sharing.isEmbeddable && { "Cross-Origin-Resource-Policy": "cross-origin" }),
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

function granted({ method, origin, sharing }: Asked): Record<string, string> | undefined {
  if (sharing.readers === "nobody") return undefined;
  if (origin !== undefined && env.CORS_ORIGINS.includes(origin))
    return { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" };
  const isReading = method === "GET" || method === "HEAD";
  return isReading && sharing.readers === "anyone" ? { "Access-Control-Allow-Origin": "*" } : undefined;
}

const readingMethods = "GET, HEAD";
const allMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** The answer to OPTIONS, given ahead of limiters and guards: a browser asks it before it may say who it is. */
export function preflightHeaders({ origin, sharing }: Omit<Asked, "method">): Record<string, string> {
  const grant = granted({ method: "GET", origin, sharing });
  const mayWrite = grant?.["Access-Control-Allow-Credentials"] === "true";
  return {
    ...(namesOrigins && sharing.readers !== "nobody" && { Vary: "Origin" }),
    ...(grant && {
      ...grant,
      "Access-Control-Allow-Methods": mayWrite ? allMethods : readingMethods,
      "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, If-Range, Range",
      "Access-Control-Max-Age": "7200",
    }),
  };
}
