import { type MiddlewareFunction, redirect } from "react-router";
import { profilesPath, resetPath, signInPath, verifyPath } from "#app/paths.ts";
import { routeFactsContext } from "../context.server.ts";
import { findVerifiedSession } from "./guard.server.ts";
import { carriesSession } from "./session-cookie.server.ts";

/** Pages by which somebody says who they are. */
const openPages: readonly string[] = [profilesPath(), signInPath(), resetPath(), verifyPath()];

/**
 * The middleware of the root route. After hours without a request, a browser of a household with a child opens no page
 * before somebody has said who is watching. Endpoints go on, so that what was paused for the night plays to its end.
 */
export const askWhoIsWatching: MiddlewareFunction<Response> = async (
  { request, url, context, pattern },
  next,
) => {
  const isPage =
    context.get(routeFactsContext)(pattern).isPage && !openPages.includes(`/${pattern.replace(/^\//, "")}`);
  if (!isPage || !carriesSession(request.headers.get("Cookie"))) return next();
  const session = await findVerifiedSession(request, context).catch(() => null);
  if (session?.asksWho) throw redirect(profilesPath({ redirectTo: url.pathname + url.search }));
  return next();
};
