import { redirect } from "react-router";
import { z } from "zod";
import {
  type Caller,
  endSession,
  findSession,
  type SignedIn,
  savePreferences,
} from "../domain/accounts/accounts.server.ts";
import { absoluteUrl } from "./absolute-url.server.ts";
import { type Context, clientContext } from "./context.server.ts";
import { succeed, success } from "./operation.server.ts";
import { addressBlock } from "./rate-limit.server.ts";
import { isFormPost } from "./request-body.server.ts";
import { clearedSessionCookie, readSessionSecret, sessionCookie } from "./session-cookie.server.ts";
import { visitorCookieOf, visitorOf } from "./viewer.server.ts";

/** What a browser gets when it has proven who it is, and when it leaves. */

/** Who asks, in the domain's terms. */
export const callerOf = (request: Request, context: Context): Caller => ({
  address: addressBlock(context.get(clientContext).address),
  userAgent: request.headers.get("User-Agent"),
});

export const signedInAnswer = success(
  z.object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string(), avatar: z.string().nullable() }),
  }),
);

type Asked = { request: Request; context: Context; status?: 200 | 201; formTarget: string };

/** JSON callers are told who they are now; a plain form moves on. */
export async function answerSignedIn(
  { account, secret }: SignedIn,
  { request, context, status = 200, formTarget }: Asked,
): Promise<Response> {
  const headers = await signedInHeaders(secret, request, context);
  if (isFormPost(request)) return redirect(formTarget, { headers });
  const user = { ...account, avatar: absoluteUrl(context, account.avatar) };
  return Response.json(succeed({ user }), { status, headers });
}

/**
 * The new session's cookie, and the account's preferences over the visitor's. The session that came with the request
 * ends: no id survives a sign-in.
 */
export async function signedInHeaders(secret: string, request: Request, context: Context): Promise<Headers> {
  await endCarriedSession(request, context);
  const headers = privateHeaders(await sessionCookie(secret, context));
  const session = await findSession(secret);
  if (session) headers.append("Set-Cookie", visitorCookieOf(session.user.preferences, request, context));
  return headers;
}

/**
 * A new account begins with what its owner chose as a visitor. Parental control alone begins as on, whatever this
 * browser had it at.
 */
export async function adoptVisitor({ account }: SignedIn, request: Request): Promise<void> {
  const { parentalControl: _, ...chosen } = visitorOf(request);
  await savePreferences(account.id, chosen);
}

export async function signedOutHeaders(request: Request, context: Context): Promise<Headers> {
  await endCarriedSession(request, context);
  return privateHeaders(await clearedSessionCookie(context));
}

/** The session goes on under a new secret. */
export const renewedHeaders = async (secret: string, context: Context) =>
  privateHeaders(await sessionCookie(secret, context));

async function endCarriedSession(request: Request, context: Context) {
  const carried = await readSessionSecret(request, context);
  if (carried) await endSession(carried);
}

const privateHeaders = (cookie: string) => new Headers({ "Set-Cookie": cookie, "Cache-Control": "no-store" });
