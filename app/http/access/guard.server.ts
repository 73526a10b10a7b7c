import { createContext, data, type MiddlewareFunction, redirect } from "react-router";
import { type FoundSession, findSession, findTokenUser } from "#app/domain/accounts/accounts.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { signInPath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { answerNotesContext, type Context, siteDataContext } from "../context.server.ts";
import { errorResponse, fail } from "../endpoint/error-response.server.ts";
import type { PageRefusal } from "../forms/page-refusal.ts";
import { readSessionSecret, sessionCookie, setsSessionCookie } from "./session-cookie.server.ts";

/** Who is asking. A guard stands on every guarded route itself: a parent's protects nothing. */

type RequestSession = { secret: string | null; session: FoundSession | null };
const visitContext = createContext<Promise<RequestSession> | null>(null);
const memberContext = createContext<SessionUser>();
const sessionContext = createContext<FoundSession>();

/** Looks the session up once a request, and only when somebody asks. */
function findRequestSession(request: Request, context: Context): Promise<RequestSession> {
  const known = context.get(visitContext);
  if (known) return known;
  const visit = readRequestSession(request, context);
  context.set(visitContext, visit);
  return visit;
}

async function readRequestSession(request: Request, context: Context): Promise<RequestSession> {
  const secret = await readSessionSecret(request, context);
  return { secret, session: secret === null ? null : await findSession(secret) };
}

export const findCurrentSession = async (request: Request, context: Context) =>
  (await findRequestSession(request, context)).session;

export const findUser = async (request: Request, context: Context): Promise<SessionUser | null> =>
  (await findCurrentSession(request, context))?.user ?? null;

/** For endpoints: nobody without a session passes. A token is no session. */
export const member: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  setCurrentUser(context, await findVerifiedSession(request, context));
  return next();
};

/**
 * For the endpoints that programs use too: an access token stands for its user, for reading alone if that is its scope.
 * Who sends one is judged by it; a cookie beside it counts for nothing.
 */
export const memberOrToken: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const token = bearerToken(request);
  if (token === null) setCurrentUser(context, await findVerifiedSession(request, context));
  else context.set(memberContext, await requireTokenUser(token, request));
  return next();
};

/** Null without one; an empty one is a bad one. */
function bearerToken(request: Request): string | null {
  const sent = /^Bearer(?: +(.*))?$/i.exec(request.headers.get("Authorization") ?? "");
  return sent && (sent[1] ?? "");
}

async function requireTokenUser(token: string, request: Request): Promise<SessionUser> {
  const found = await orServerError(findTokenUser(token));
  if (!found) throw fail("unauthorized");
  if (found.scope === "read" && request.method !== "GET" && request.method !== "HEAD")
    throw fail("forbidden", "This token may only read");
  return found.user;
}

export const operator: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const session = await findVerifiedSession(request, context);
  if (session?.user.role !== "operator") throw fail(session ? "forbidden" : "unauthorized");
  setCurrentUser(context, session);
  return next();
};

/** For pages: whoever is not signed in is sent to do so, and comes back. */
export const memberPage: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const session = await findVerifiedSession(request, context);
  if (!session) throw redirect(signInPath({ redirectTo: url.pathname + url.search }));
  setCurrentUser(context, session);
  return next();
};

/** For pages that everybody reads: a write by somebody who is not signed in leads to signing in. */
export const memberWrites: MiddlewareFunction<Response> = (args, next) =>
  args.request.method === "GET" || args.request.method === "HEAD" ? next() : memberPage(args, next);

/** For the operator's pages: members are told that these are not theirs. */
export const operatorPage: MiddlewareFunction<Response> = (args, next) =>
  memberPage(args, async () => {
    if (getCurrentUser(args.context).role === "operator") return next();
    const refusal: PageRefusal = { text: operatorsOnlyText, site: await args.context.get(siteDataContext)() };
    throw data(refusal, { status: 403 });
  }) as Promise<Response>;

const operatorsOnlyText = {
  title: "For operators",
  text: "Only operators can open this page. An operator of this site can give your account that role.",
};

export const getCurrentUser = (context: Context): SessionUser => context.get(memberContext);
export const getCurrentSession = (context: Context): FoundSession => context.get(sessionContext);

function setCurrentUser(context: Context, session: FoundSession | null) {
  if (!session) throw fail("unauthorized");
  context.set(memberContext, session.user);
  context.set(sessionContext, session);
}

/** The session, none, or an answer thrown: what endpoints ask for. */
export const findVerifiedSession = (request: Request, context: Context) =>
  orServerError(findCurrentSession(request, context));

/** What cannot be verified just now is neither good nor bad: the cookie stays. */
async function orServerError<Found>(finding: Promise<Found>): Promise<Found> {
  try {
    return await finding;
  } catch (error) {
    log.error("a session could not be verified", errorFields(error));
    throw errorResponse(500, "An internal server error occurred");
  }
}

/**
 * Stands on the root route. When the idle limit has moved, the cookie is sent again with whatever is answered; but not
 * with an answer that a shared cache may keep, nor over a cookie that the answer sets itself.
 */
export const resendSessionCookie: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next();
  const visit = await context.get(visitContext)?.catch(() => null);
  if (!visit?.secret || !visit.session?.touched) return response;
  if (context.get(answerNotesContext).cache?.isPublic || setsSessionCookie(response, context))
    return response;
  const kept = new Response(response.body, response);
  kept.headers.append("Set-Cookie", await sessionCookie(visit.secret, context));
  return kept;
};
