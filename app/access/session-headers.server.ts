import { type ClientDevice, deleteSession, maxIdleSessionMs } from "#app/domain/accounts/accounts.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { type Context, ipBlockIn } from "#app/http/context.server.ts";
import {
  type CookieSession,
  clearedSessionCookie,
  readSessionSecret,
  sessionCookie,
} from "#app/http/guards/session-cookie.server.ts";

/** The headers that start, renew or end a session in the browser. */

export const clientDeviceOf = (request: Request, context: Context): ClientDevice => ({
  ip: ipBlockIn(context),
  userAgent: request.headers.get("User-Agent"),
});

/** Also ends the session that the request carried, so that a cookie planted in the browser becomes useless. */
export async function newSessionHeaders(
  secret: string,
  request: Request,
  context: Context,
): Promise<Headers> {
  await deleteRequestSession(request, context);
  return renewedSessionHeaders(secret, context);
}

export async function signedOutHeaders(request: Request, context: Context): Promise<Headers> {
  await deleteRequestSession(request, context);
  return privateHeaders(await clearedSessionCookie(context));
}

/** For a session that continues with a new secret. */
export const renewedSessionHeaders = (secret: string, context: Context) =>
  switchedSessionHeaders({ secret }, context);

/** For a session that continues as another profile. */
export async function switchedSessionHeaders(session: CookieSession, context: Context) {
  const headers = privateHeaders(await sessionCookie(session, maxIdleSessionMs, context));
  // The browser has cached pictures and answers meant for everybody, and would show them to the restricted session too.
  if (session.isRestricted) headers.set("Clear-Site-Data", '"cache"');
  return headers;
}

async function deleteRequestSession(request: Request, context: Context) {
  const carried = await readSessionSecret(request, context);
  if (carried) await deleteSession(carried);
}

const privateHeaders = (cookie: string) => new Headers({ "Set-Cookie": cookie, ...cacheHeaders(noStore) });
