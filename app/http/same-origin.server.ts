import type { MiddlewareFunction } from "react-router";
import { env } from "../platform/env.server.ts";
import { clientContext } from "./context.server.ts";
import { fail } from "./error-response.server.ts";
import { carriesSession } from "./session-cookie.server.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The router's own check covers page routes only; this one covers every route that carries it. Browsers always
 * tell where a write comes from, so a caller that tells nothing is no browser and carries no stolen cookie.
 */
export const sameOrigin: MiddlewareFunction<Response> = ({ request, context }, next) => {
  if (!isOwnWrite(request, context.get(clientContext).origin))
    throw fail("forbidden", "Cross-site request refused");
  return next();
};

export function isOwnWrite(request: Request, ownOrigin: string) {
  if (safeMethods.has(request.method)) return true;
  // A bearer token is never sent by a browser on its own, so no site can ride on it.
  if (/^Bearer +/i.test(request.headers.get("Authorization") ?? "") && !carriesSession(request)) return true;
  const origin = request.headers.get("Origin");
  if (origin !== null) return origin === ownOrigin || env.CORS_ORIGINS.includes(origin);
  const site = request.headers.get("Sec-Fetch-Site");
  return site === null || site === "same-origin" || site === "none";
}
