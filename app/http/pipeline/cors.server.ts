import { env } from "#app/platform/process/env.server.ts";
import { isReading } from "../methods.ts";
import type { Sharing } from "../sharing.ts";

/**
 * Writes the CORS headers for a route's sharing. Every origin may read answers shared with anyone, without credentials.
 * The origins of CORS_ORIGINS may also use everything shared with API origins, with credentials.
 */

type CorsRequest = { method: string; origin: string | undefined; sharing: Sharing };

const exposedHeaders =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Content-Range, Content-Length";

const hasApiOrigins = env.CORS_ORIGINS.length > 0;

/** The headers to add. Use `addHeaders`, which preserves the answer's `Vary`. */
export function corsHeaders({ method, origin, sharing }: CorsRequest): Record<string, string> {
  if (sharing.readers === "nobody") return {};
  const vary: Record<string, string> = hasApiOrigins ? { Vary: "Origin" } : {};
  const grant = grantFor({ method, origin, sharing });
  return {
    ...vary,
    ...grant,
    ...(grant && { "Access-Control-Expose-Headers": exposedHeaders }),
    ...(sharing.isEmbeddable && { "Cross-Origin-Resource-Policy": "cross-origin" }),
  };
}

/** The part of a cache key for CORS: an answer that names one origin must not go to another. */
export const corsReader = (origin: string | undefined) =>
  hasApiOrigins && origin !== undefined && env.CORS_ORIGINS.includes(origin) ? origin : "*";

export function addHeaders(headers: Headers, added: Record<string, string>) {
  for (const [name, value] of Object.entries(added)) {
    if (name === "Vary") headers.append(name, value);
    else headers.set(name, value);
  }
}

function grantFor({ method, origin, sharing }: CorsRequest): Record<string, string> | undefined {
  if (sharing.readers === "nobody") return undefined;
  if (origin !== undefined && env.CORS_ORIGINS.includes(origin))
    return { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" };
  return isReading(method) && sharing.readers === "anyone"
    ? { "Access-Control-Allow-Origin": "*" }
    : undefined;
}

/** `methods` lists the methods that the path answers. */
type Preflight = Omit<CorsRequest, "method"> & { methods: readonly string[] };

/**
 * The headers that answer OPTIONS. They are sent before limiters and guards run, because browsers send a preflight
 * without cookies and tokens.
 */
export function preflightHeaders({ origin, sharing, methods }: Preflight): Record<string, string> {
  const grant = grantFor({ method: "GET", origin, sharing });
  const mayWrite = grant?.["Access-Control-Allow-Credentials"] === "true";
  return {
    ...(hasApiOrigins && sharing.readers !== "nobody" && { Vary: "Origin" }),
    ...(grant && {
      ...grant,
      "Access-Control-Allow-Methods": methods.filter((method) => mayWrite || isReading(method)).join(", "),
      "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, If-Range, Range",
      "Access-Control-Max-Age": "7200",
    }),
  };
}
