import { createContext, data, type MiddlewareFunction, redirect } from "react-router";
import { type FoundSession, findSession, findTokenUser } from "../domain/accounts/accounts.server.ts";
import { mayShowMature, type SessionUser } from "../domain/accounts/accounts.ts";
import { errorFields, log } from "../platform/log.server.ts";
import { answerNotesContext, type Context, siteContext } from "./context.server.ts";
import { errorResponse, fail } from "./error-response.server.ts";
import type { PageRefusal } from "./page-refusal.ts";
import { readSessionSecret, sessionCookie, setsSessionCookie } from "./session-cookie.server.ts";

/** Who is asking. A guard stands on every guarded route itself: a parent's protects nothing. */

type Visit = { secret: string | null; session: FoundSession | null };
const visitContext = createContext<Promise<Visit> | null>(null);
const memberContext = createContext<SessionUser>();
const sessionContext = createContext<FoundSession>();

/** Looks the session up once a request, and only when somebody asks. */
function findVisit(request: Request, context: Context): Promise<Visit> {
  const known = context.get(visitContext);
  if (known) return known;
  const visit = readVisit(request, context);
  context.set(visitContext, visit);
  return visit;
}

async function readVisit(request: Request, context: Context): Promise<Visit> {
  const secret = await readSessionSecret(request, context);
  return { secret, session: secret === null ? null : await findSession(secret) };
}

export const findCurrentSession = async (request: Request, context: Context) =>
  (await findVisit(request, context)).session;

export const findUser = async (request: Request, context: Context): Promise<SessionUser | null> =>
  (await findCurrentSession(request, context))?.user ?? null;

/** For endpoints: nobody without a session passes. A token is no session. */
export const member: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  letIn(context, await verifiedSession(request, context));
  return next();
};

/**
 * For the endpoints that programs use too: an access token stands for its user, for reading alone if that is its scope.
 * Who sends one is judged by it; a cookie beside it counts for nothing.
 */
export const memberOrToken: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const token = bearerToken(request);
  if (token === null) letIn(context, await verifiedSession(request, context));
  else context.set(memberContext, await verifiedTokenUser(token, request));
  return next();
};

/** Null without one; an empty one is a bad one. */
function bearerToken(request: Request): string | null {
  const sent = /^Bearer(?: +(.*))?$/i.exec(request.headers.get("Authorization") ?? "");
  return sent && (sent[1] ?? "");
}

async function verifiedTokenUser(token: string, request: Request): Promise<SessionUser> {
  const found = await verified(findTokenUser(token));
  if (!found) throw fail("unauthorized");
  if (found.scope === "read" && request.method !== "GET" && request.method !== "HEAD")
    throw fail("forbidden", "This token may only read");
  return found.user;
}

export const operator: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const session = await verifiedSession(request, context);
  if (session?.user.role !== "operator") throw fail(session ? "forbidden" : "unauthorized");
  letIn(context, session);
  return next();
};

/** For pages: whoever is not signed in is sent to do so, and comes back. */
export const memberPage: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const session = await verifiedSession(request, context);
  if (!session) throw redirect(`/signin?redirectTo=${encodeURIComponent(url.pathname + url.search)}`);
  letIn(context, session);
  return next();
};

/** For the operator's pages: members are told that these are not theirs. */
export const operatorPage: MiddlewareFunction<Response> = (args, next) =>
  memberPage(args, async () => {
    if (currentUser(args.context).role === "operator") return next();
    const refusal: PageRefusal = { words: operatorsOnly, site: await args.context.get(siteContext)() };
    throw data(refusal, { status: 403 });
  }) as Promise<Response>;

const operatorsOnly = {
  title: "For operators",
  text: "Your account is not an operator's. Whoever runs this site can make it one.",
};

export const currentUser = (context: Context): SessionUser => context.get(memberContext);
export const currentSession = (context: Context): FoundSession => context.get(sessionContext);

function letIn(context: Context, session: FoundSession | null) {
  if (!session) throw fail("unauthorized");
  context.set(memberContext, session.user);
  context.set(sessionContext, session);
}

/** The session, none, or an answer thrown: what endpoints ask for. */
export const verifiedSession = (request: Request, context: Context) =>
  verified(findCurrentSession(request, context));

/** What cannot be verified just now is neither good nor bad: the cookie stays. */
async function verified<Found>(finding: Promise<Found>): Promise<Found> {
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
export const keepSession: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next();
  const visit = await context.get(visitContext)?.catch(() => null);
  if (!visit?.secret || !visit.session?.touched) return response;
  if (context.get(answerNotesContext).isPublic || setsSessionCookie(response, context)) return response;
  const kept = new Response(response.body, response);
  kept.headers.append("Set-Cookie", await sessionCookie(visit.secret, context));
  return kept;
};

/**
 * Whether mature titles may be shown to a caller of the API. Asking for them to be hidden never looks at the
 * session, so that such answers are the same for everybody.
 */
export async function mayShowMatureTo(
  request: Request,
  context: Context,
  parentalControl: boolean,
): Promise<boolean> {
  if (parentalControl) return false;
  const user = await findUser(request, context);
  return user ? mayShowMature(user) : true;
}
