import { redirect } from "react-router";
import { z } from "zod";
import { findSession, type NewSession, type SwitchedSession } from "#app/domain/accounts/accounts.server.ts";
import type { SignUpPass } from "#app/domain/joining/joining.server.ts";
import { editList } from "#app/domain/library/library.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { absoluteUrl } from "#app/http/endpoint/absolute-url.server.ts";
import { succeed, success } from "#app/http/endpoint/operation.server.ts";
import { isFormPost } from "#app/http/endpoint/request-body.server.ts";
import { profilesPath, splitAddition } from "#app/paths.ts";
import { getCurrentUser } from "./guards/guard.server.ts";
import { newSessionHeaders, switchedSessionHeaders } from "./session-headers.server.ts";
import { viewerOf, visitorCookieFor } from "./viewer.server.ts";

export const signedInObject = success(
  z.object({
    user: z
      .object({ id: z.string(), email: z.string(), name: z.string(), avatar: z.string().nullable() })
      .meta({ id: "SignedInUser" }),
  }),
);

/** When several people share the account, each sign-in first goes to the choice of profiles. */
export const targetAfterSignIn = async (session: NewSession, target: string): Promise<string> =>
  session.isOneOfSeveral ? profilesPath({ redirectTo: target }) : addAfterSignIn(session, target);

/**
 * A visitor who presses "Add to list" first signs in or up, and the path to return to contains the title. This adds the
 * title to the new session's list and returns the path without it. A title that is already on the list stays unchanged.
 */
export async function addAfterSignIn({ secret }: Pick<NewSession, "secret">, redirectTo: string) {
  const { path, malId } = splitAddition(redirectTo);
  if (malId === null) return path;
  const session = await findSession(secret);
  if (session === null) return path;
  const { user } = session;
  await editList(user.id, { kind: "add", ids: [malId], fields: { type: "To Watch" } }, viewerOf(user));
  return path;
}

type SignedInRequest = { request: Request; context: Context; status?: 200 | 201; formTarget: string };

/** The answer to a sign-in or sign-up. A program gets the account as JSON; a form post is redirected to the next page. */
export async function signedInResponse(
  session: NewSession,
  { request, context, status = 200, formTarget }: SignedInRequest,
): Promise<Response> {
  const headers = await signedInHeaders(session, request, context);
  if (isFormPost(request)) return redirect(formTarget, { headers });
  const { account } = session;
  const user = { ...account, avatar: absoluteUrl(context, account.avatar) };
  return Response.json(succeed({ user }), { status, headers });
}

/** For a session that continues as another profile: its new cookie, and that profile's preferences. */
export async function switchedHeaders(
  { secret, preferences, isChild }: SwitchedSession,
  request: Request,
  context: Context,
): Promise<Headers> {
  const headers = await switchedSessionHeaders({ secret, isRestricted: isChild }, context);
  const { timeZone } = getCurrentUser(context).preferences;
  headers.append("Set-Cookie", visitorCookieFor(preferences, request, context, timeZone));
  return headers;
}

/** Sets the session cookie, and replaces the visitor's preferences with those of the account. */
export async function signedInHeaders(
  { secret, preferences }: Pick<NewSession, "secret" | "preferences">,
  request: Request,
  context: Context,
): Promise<Headers> {
  const headers = await newSessionHeaders(secret, request, context);
  headers.append("Set-Cookie", visitorCookieFor(preferences, request, context));
  return headers;
}

/** The code, invitation or local access with which this request may create an account. */
export const signUpPassOf = (
  context: Context,
  { code, invitation }: { code?: string | undefined; invitation?: string | undefined } = {},
): SignUpPass => ({ code, invitation, isLocal: context.get(clientContext).mayReachLoopback });
