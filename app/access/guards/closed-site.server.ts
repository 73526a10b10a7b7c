import { createContext, type MiddlewareFunction, redirect } from "react-router";
import { findTokenUser } from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore, privateRevalidated } from "#app/http/cache-policy.server.ts";
import {
  type Context,
  clientContext,
  insideRequestContext,
  routeFactsContext,
} from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { bearerToken } from "#app/http/guards/bearer-token.ts";
import { chargeLimiter } from "#app/http/guards/rate-limit.server.ts";
import * as paths from "#app/paths.ts";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { env } from "#app/platform/process/env.server.ts";
import { secretHash } from "#app/platform/process/secrets.server.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { minutes } from "#app/platform/units.ts";
import { limiters } from "../limits.server.ts";
import { findSessionOrServerError, orServerError } from "./guard.server.ts";

/**
 * Closes a site with `VISITORS=no` to requests without a session or an access token, except for the paths below, which
 * signing in needs. Every other route is closed, including new ones.
 */

const openPaths = [
  paths.signInPath(),
  paths.signUpPath(),
  paths.setupPath(),
  paths.resetPath(),
  paths.verifyPath(),
  paths.linkPath(),
  paths.linkContinuePath(),
  paths.deviceApiPath(),
  paths.deviceTokenApiPath(),
  paths.signUpApiPath(),
  paths.signInApiPath(),
  paths.signOutApiPath(),
  paths.providerApiPath(),
  paths.providerCallbackPath(),
  paths.sessionApiPath(),
  paths.resetApiPath(),
  paths.resetConfirmApiPath(),
  paths.verifyApiPath(),
  paths.healthPath(),
  paths.readinessPath(),
  // These paths check their own signature or secret.
  ...paths.signedPatterns,
  ...paths.hookPatterns,
  // Other Engawas send a token of CATALOG_SHARE_TOKEN there.
  ...(env.CATALOG_SHARE === "token" ? [paths.catalogChangesPath()] : []),
];
const openPatterns = new Set(openPaths.map((path) => path.slice(1)));

/**
 * The middleware of the root route. There the router has already matched the route, so every spelling of its path is
 * covered. No shared cache may store an answer of a closed site.
 */
export const closedSite: MiddlewareFunction<Response> = async ({ request, url, context, pattern }, next) => {
  if (!isClosedSite()) return next();
  const path = pattern.replace(/^\//, "");
  if (openPatterns.has(path) || context.get(insideRequestContext)) return next();
  if (await checkMember(request, context)) return cachedByBrowserOnly(await next());
  if (leadsToSignIn(request, path, context))
    throw redirect(paths.signInPath({ redirectTo: url.pathname + url.search }), {
      headers: cacheHeaders(noStore),
    });
  return fail("unauthorized");
};

/** A request for a file of a shared folder asks twice: before the router and in it. Its token is charged once. */
const tokenContext = createContext<Promise<boolean> | null>(null);

/** Whether the request has a valid session or access token. Throws the response if it is refused. */
async function checkMember(request: Request, context: Context): Promise<boolean> {
  const token = bearerToken(request);
  if (token !== null) {
    const known = context.get(tokenContext) ?? isMembersToken(token, context);
    context.set(tokenContext, known);
    return known;
  }
  return (await findSessionOrServerError(request, context)) !== null;
}

/** The same for requests of files. False for a refused request: the router then refuses it and says why. */
export const isFromMember = (request: Request, context: Context): Promise<boolean> =>
  checkMember(request, context).catch((error) => {
    if (error instanceof Response) return false;
    throw error;
  });

/**
 * The hashes of the tokens that were valid in the last ten minutes. All others are charged before they are looked up,
 * because no limiter has counted the request yet. A made-up session needs no limiter: this site has not signed its
 * cookie.
 */
const validTokens = createSparseLru<string, true>({ max: 10_000, ttl: minutes(10) });

async function isMembersToken(token: string, context: Context): Promise<boolean> {
  const key = secretHash(token);
  if (!validTokens.has(key)) {
    const { ip } = context.get(clientContext);
    const { refusal } = await chargeLimiter({ name: "token", ...limiters.token }, ip);
    if (refusal) throw refusal;
  }
  const isValid = (await orServerError(findTokenUser(token))) !== null;
  if (isValid) validTokens.set(key, true);
  else validTokens.delete(key);
  return isValid;
}

/** True for a person who opens a page, or a link to a picture, in a browser. Programs get 401. */
function leadsToSignIn(request: Request, path: string, context: Context) {
  if (context.get(routeFactsContext)(path).isPage) return true;
  const isApi = /^(?:api|v4)\//.test(path);
  return !isApi && request.method === "GET" && (request.headers.get("Accept") ?? "").includes("text/html");
}

function cachedByBrowserOnly(response: Response): Response {
  const control = response.headers.get("Cache-Control");
  if (!control?.startsWith("public")) return response;
  const headers = new Headers(response.headers);
  headers.delete("Expires");
  const isPicture = headers.get("Content-Type")?.startsWith("image/") ?? false;
  headers.set("Cache-Control", isPicture ? privately(control) : privateRevalidated.control);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

const privately = (control: string) => control.replace("public", "private").replace(/, s-maxage=\d+/, "");
