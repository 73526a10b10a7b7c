import { createCookieSessionStorage } from "react-router";
import { decodedOrSame } from "#app/paths.ts";
import { env } from "#app/platform/process/env.server.ts";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { inSeconds } from "#app/platform/units.ts";
import { type Context, isSecureIn } from "../context.server.ts";

/**
 * The signed session cookie. It holds the secret by which the database finds the session, and a mark if the session is
 * restricted. On https its name begins with `__Host-`, so that browsers refuse a cookie of that name from another
 * subdomain.
 */

export const sessionCookieName = (secure: boolean) => (secure ? "__Host-engawa-session" : "engawa-session");

/**
 * Whether a `Cookie` header may contain a session, valid or not; verifying it would cost a query. Any cookie with
 * "session" in its name counts. Overlooking a session could put a member's answer into the public cache; a match on
 * another site's cookie only makes the request miss the cache. The expression reads each cookie once: it runs before
 * any limiter, on headers of 16 KiB.
 */
export const carriesSession = (cookies: string | null | undefined): boolean =>
  /(?:^|;)[^=;]*session/i.test(cookies ?? "");

const sessionCookies = /(?:^|;)[ \t]*(?:__Host-)?engawa-session[ \t]*=[ \t]*"?([^;"\s]*)/g;

/** The session cookies of a `Cookie` header as they were sent, not verified. */
export const sessionCookiesIn = (cookies: string | null): string =>
  (cookies?.match(sessionCookies) ?? []).join("");

/**
 * Whether the session in a `Cookie` header is restricted. A restricted session may see less than visitors, so it never
 * gets the answers that are cached for everybody. The cookie is not verified: a client that hides the mark gets what
 * visitors get.
 */
export function carriesRestrictedSession(cookies: string | null | undefined): boolean {
  if (!carriesSession(cookies)) return false;
  return [...(cookies ?? "").matchAll(sessionCookies)].some(([, value = ""]) => isMarked(value));
}

/** Decodes like the cookie parser, so that another spelling of the cookie cannot hide the mark. */
function isMarked(value: string): boolean {
  const [encoded = ""] = decodedOrSame(value).split(".");
  return Buffer.from(encoded, "base64").includes('"restricted":true');
}

/** Whether the answer starts, renews or ends a session. */
export const setsSessionCookie = (response: Response, context: Context) =>
  response.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${sessionCookieName(isSecureIn(context))}=`));

function createStorage(secure: boolean) {
  return createCookieSessionStorage<{ secret: string; restricted?: true }>({
    cookie: {
      name: sessionCookieName(secure),
      httpOnly: true,
      path: "/",
      // With `lax`, browsers would not send the cookie when pages of CORS_ORIGINS call the API.
      sameSite: secure && env.CORS_ORIGINS.length > 0 ? "none" : "lax",
      secure,
      secrets: getSigningSecrets(),
    },
  });
}

type Storage = ReturnType<typeof createStorage>;
const storages = new Map<boolean, Storage>();

function storageFor(context: Context): Storage {
  const secure = isSecureIn(context);
  const storage = storages.get(secure) ?? createStorage(secure);
  storages.set(secure, storage);
  return storage;
}

const isSecret = /^[A-Za-z0-9_-]{43}$/;

/** The secret in the cookie, or null if the cookie is missing, damaged or not signed by us. */
export async function readSessionSecret(request: Request, context: Context): Promise<string | null> {
  const session = await storageFor(context).getSession(request.headers.get("Cookie"));
  const secret: unknown = session.get("secret");
  return typeof secret === "string" && isSecret.test(secret) ? secret : null;
}

/** `isRestricted`: see `carriesRestrictedSession`. */
export type CookieSession = { secret: string; isRestricted?: boolean };

export async function sessionCookie(
  { secret, isRestricted = false }: CookieSession,
  maxAgeMs: number,
  context: Context,
): Promise<string> {
  const storage = storageFor(context);
  const session = await storage.getSession();
  session.set("secret", secret);
  if (isRestricted) session.set("restricted", true);
  return storage.commitSession(session, { maxAge: inSeconds(maxAgeMs) });
}

export async function clearedSessionCookie(context: Context): Promise<string> {
  const storage = storageFor(context);
  return storage.destroySession(await storage.getSession());
}
