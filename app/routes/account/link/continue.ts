import { redirect } from "react-router";
import { signedInHeaders } from "#app/access/answer-sign-in.server.ts";
import { notForChildrenPage } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { type Poll, pollDeviceSignIn } from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { isPrefetch } from "#app/http/guards/prefetch.server.ts";
import { homePath, linkPath } from "#app/paths.ts";
import type { Route } from "./+types/continue";
import { clearedWaitingCookie, readWaitingScreen } from "./device-cookie.server.ts";

/**
 * A screen that shows a code asks here whether a member has confirmed it. A browser without scripts can only send a GET
 * after a while, so this GET signs in. It needs the cookie that the screen's own form has set.
 */

export const middleware: Route.MiddlewareFunction[] = [limited("devicePoll"), notForChildrenPage];

export async function loader({ request, context }: Route.LoaderArgs) {
  const screen =
    request.method === "GET" && !isPrefetch(request) ? await readWaitingScreen(request, context) : null;
  if (screen === null) return answer(request, linkPath());
  const client = clientDeviceOf(request, context);
  const polled = await pollDeviceSignIn(screen.secret, client, { isOwnPage: true });
  if (polled.state === "authorization_pending") return answer(request, linkPath(), { isWaiting: true });
  const headers =
    polled.state === "signed_in" ? await signedInHeaders(polled.session, request, context) : new Headers();
  headers.append("Set-Cookie", await clearedWaitingCookie(context));
  return answer(request, targetAfter(polled), { headers });
}

const targetAfter = ({ state }: Poll) => {
  if (state === "signed_in") return homePath();
  return linkPath({ error: state === "access_denied" ? "refused" : "expired" });
};

/** Answers the page's script with JSON, and a browser without scripts with a redirect. */
function answer(
  request: Request,
  target: string,
  { isWaiting = false, headers = new Headers() }: { isWaiting?: boolean; headers?: Headers } = {},
) {
  for (const [name, value] of Object.entries(cacheHeaders(noStore))) headers.set(name, value);
  return request.headers.get("Accept")?.includes("application/json")
    ? Response.json(isWaiting ? { isWaiting } : { isWaiting, target }, { headers })
    : redirect(target, { headers });
}
