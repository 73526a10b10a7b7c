import { type MiddlewareFunction, redirect } from "react-router";
import { findTokenUser } from "#app/domain/sign-in/sign-in.server.ts";
import { signInPath } from "#app/paths.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { cacheHeaders, noStore, privateRevalidated } from "../cache-policy.server.ts";
import { type Context, insideRequestContext, routeFactsContext } from "../context.server.ts";
import { type ErrorShape, fail } from "../endpoint/error-response.server.ts";
import { bearerToken } from "./bearer-token.ts";
import { findVerifiedSession } from "./guard.server.ts";

/** Closes the whole site to requests without a session or an access token, except for the paths that signing in needs. */

type Options = {
  /** Whether visitors may use the route with this path pattern. Routes that are not listed are closed. */
  isOpen: (pattern: string) => boolean;
  errorShapeOf: (pattern: string) => ErrorShape | undefined;
};

/**
 * The middleware of the root route. There the router has already matched the route, so every spelling of its path is
 * covered. No shared cache may store an answer of a closed site.
 */
export const closedTo =
  ({ isOpen, errorShapeOf }: Options): MiddlewareFunction<Response> =>
  async ({ request, url, context, pattern }, next) => {
    if (!isClosedSite()) return next();
    const path = pattern.replace(/^\//, "");
    if (isOpen(path) || context.get(insideRequestContext)) return next();
    if (await isFromMember(request, context)) return keptByNobodyElse(await next());
    if (leadsToSignIn(request, path, context))
      throw redirect(signInPath({ redirectTo: url.pathname + url.search }), {
        headers: cacheHeaders(noStore),
      });
    return errorShapeOf(path)?.({ status: 401, message: "Unauthorized" }) ?? fail("unauthorized");
  };

/** Whether the request has a valid session or access token. */
export async function isFromMember(request: Request, context: Context): Promise<boolean> {
  const token = bearerToken(request);
  if (token !== null) return (await findTokenUser(token)) !== null;
  return (await findVerifiedSession(request, context)) !== null;
}

/** True for a person who opens a page, or a link to a picture, in a browser. Programs get 401. */
function leadsToSignIn(request: Request, path: string, context: Context) {
  if (context.get(routeFactsContext)(path).isPage) return true;
  const isApi = /^(?:api|v4)\//.test(path);
  return !isApi && request.method === "GET" && (request.headers.get("Accept") ?? "").includes("text/html");
}

function keptByNobodyElse(response: Response): Response {
  const control = response.headers.get("Cache-Control");
  if (!control?.startsWith("public")) return response;
  const headers = new Headers(response.headers);
  headers.delete("Expires");
  const isPicture = headers.get("Content-Type")?.startsWith("image/") ?? false;
  headers.set("Cache-Control", isPicture ? privately(control) : privateRevalidated.control);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

const privately = (control: string) => control.replace("public", "private").replace(/, s-maxage=\d+/, "");
