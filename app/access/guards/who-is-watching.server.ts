import { type MiddlewareFunction, redirect } from "react-router";
import { routeFactsContext } from "#app/http/context.server.ts";
import { carriesSession } from "#app/http/guards/session-cookie.server.ts";
import { profilesPath, resetPath, signInPath, verifyPath } from "#app/paths.ts";
import { findSessionOrServerError } from "./guard.server.ts";

/** The pages on which people choose a profile or sign in. They stay open. */
const openPages: readonly string[] = [profilesPath(), signInPath(), resetPath(), verifyPath()];

/**
 * The middleware of the root route. When a household has a child and its browser has sent nothing for hours, every page
 * first redirects to the choice of profiles. Endpoints that a child may use are not affected, so that a player paused
 * overnight goes on.
 */
export const askWhoIsWatching: MiddlewareFunction<Response> = async (
  { request, url, context, pattern },
  next,
) => {
  const isPage =
    context.get(routeFactsContext)(pattern).isPage && !openPages.includes(`/${pattern.replace(/^\//, "")}`);
  if (!isPage || !carriesSession(request.headers.get("Cookie"))) return next();
  const session = await findSessionOrServerError(request, context).catch(() => null);
  if (session?.asksWho) throw redirect(profilesPath({ redirectTo: url.pathname + url.search }));
  return next();
};
