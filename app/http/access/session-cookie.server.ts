import { createCookieSessionStorage } from "react-router";
import { env } from "#app/platform/process/env.server.ts";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { days, inSeconds } from "#app/platform/units.ts";
import { type Context, clientContext } from "../context.server.ts";

/**
 * The session's one cookie: signed, and holding nothing but the secret by which the database finds the session. On
 * https its name binds it to this very host (`__Host-`), so that no neighbouring subdomain can plant one.
 */

const maxAge = inSeconds(days(7));

const nameOf = (secure: boolean) => (secure ? "__Host-engawa-session" : "engawa-session");
const isSecure = (context: Context) => context.get(clientContext).origin.startsWith("https:");

/**
 * Whether a `Cookie` header holds a session, good or bad: verifying it would cost a query. Any cookie with "session" in
 * its name counts, and spaces before the `=` are allowed as the cookie parser allows them. Were a session overlooked,
 * its owner's answer could enter the public cache; a foreign cookie that counts only costs a look into that cache.
 */
export const carriesSession = (cookies: string | null | undefined): boolean =>
  /session[\w-]*[ \t]*=/i.test(cookies ?? "");

/** Whether an answer starts, renews or ends the session by itself. */
export const setsSessionCookie = (response: Response, context: Context) =>
  response.headers.getSetCookie().some((cookie) => cookie.startsWith(`${nameOf(isSecure(context))}=`));

function createStorage(secure: boolean) {
  return createCookieSessionStorage<{ secret: string }>({
    cookie: {
      name: nameOf(secure),
      httpOnly: true,
      path: "/",
      // Pages of CORS_ORIGINS call with the cookie, which the browser then sends across sites only if told so.
      sameSite: secure && env.CORS_ORIGINS.length > 0 ? "none" : "lax",
      secure,
      secrets: getSigningSecrets(),
      maxAge,
    },
  });
}

type Storage = ReturnType<typeof createStorage>;
const storages = new Map<boolean, Storage>();

function storageFor(context: Context): Storage {
  const secure = isSecure(context);
  const storage = storages.get(secure) ?? createStorage(secure);
  storages.set(secure, storage);
  return storage;
}

const isSecret = /^[A-Za-z0-9_-]{43}$/;

/** What the cookie says, if we signed it; anything else is no session, never an error. */
export async function readSessionSecret(request: Request, context: Context): Promise<string | null> {
  const session = await storageFor(context).getSession(request.headers.get("Cookie"));
  const secret: unknown = session.get("secret");
  return typeof secret === "string" && isSecret.test(secret) ? secret : null;
}

export async function sessionCookie(secret: string, context: Context): Promise<string> {
  const storage = storageFor(context);
  const session = await storage.getSession();
  session.set("secret", secret);
  return storage.commitSession(session);
}

export async function clearedSessionCookie(context: Context): Promise<string> {
  const storage = storageFor(context);
  return storage.destroySession(await storage.getSession());
}
