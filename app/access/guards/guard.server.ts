import { createContext, data, type MiddlewareFunction, redirect } from "react-router";
import { type FoundSession, findSession, maxIdleSessionMs } from "#app/domain/accounts/accounts.server.ts";
import { isChild, isOwner, mayBeChild, type SessionUser } from "#app/domain/accounts/accounts.ts";
import type { Refusal } from "#app/domain/errors.ts";
import { findTokenUser } from "#app/domain/sign-in/sign-in.server.ts";
import { answerStateContext, type Context, siteDataContext } from "#app/http/context.server.ts";
import { errorResponse, fail } from "#app/http/endpoint/error-response.server.ts";
import { checkAfterBody } from "#app/http/endpoint/request-body.server.ts";
import { formErrorResponse } from "#app/http/forms/form.server.ts";
import type { PageRefusal, RefusalText } from "#app/http/forms/page-refusal.ts";
import { admitMember } from "#app/http/guards/admission.server.ts";
import { bearerToken } from "#app/http/guards/bearer-token.ts";
import { documented } from "#app/http/guards/documented.ts";
import { chargeAccount } from "#app/http/guards/rate-limit.server.ts";
import {
  carriesSession,
  readSessionSecret,
  sessionCookie,
  setsSessionCookie,
} from "#app/http/guards/session-cookie.server.ts";
import { logFailure } from "#app/http/log-failure.server.ts";
import { isReading } from "#app/http/methods.ts";
import { homePath, profilesPath, signInPath } from "#app/paths.ts";
import { currentClient } from "#app/platform/limits/current-client.server.ts";

/**
 * Finds out who sent a request, and refuses senders without permission. Every guarded route needs its own guard: a
 * parent's guard does not protect it, since a child route can be requested alone and paths have aliases.
 */

type RequestSession = { secret: string | null; session: FoundSession | null };
const requestSessionContext = createContext<Promise<RequestSession> | null>(null);
const memberContext = createContext<SessionUser>();
/** Null for a request with an access token. */
const sessionContext = createContext<FoundSession | null>(null);

/** Queries the session at most once per request, and only when a route needs it. */
function getRequestSession(request: Request, context: Context): Promise<RequestSession> {
  const known = context.get(requestSessionContext);
  if (known) return known;
  const requestSession = readRequestSession(request, context);
  context.set(requestSessionContext, requestSession);
  return requestSession;
}

async function readRequestSession(request: Request, context: Context): Promise<RequestSession> {
  const secret = await readSessionSecret(request, context);
  const session = secret === null ? null : await findSession(secret);
  if (session) noteAccount(session.user);
  return { secret, session };
}

/** From here on the request also uses the shares of its account. */
function noteAccount({ accountId }: SessionUser) {
  const client = currentClient();
  if (client) client.account = accountId;
}

export const findCurrentSession = async (request: Request, context: Context) =>
  (await getRequestSession(request, context)).session;

export const findUser = async (request: Request, context: Context): Promise<SessionUser | null> =>
  (await findCurrentSession(request, context))?.user ?? null;

/**
 * The account of a page's request, for the limits of pages. The page reads the session anyway. If that fails here, the
 * page reports it later.
 */
export async function findAccount(request: Request, context: Context): Promise<string | null> {
  if (!carriesSession(request.headers.get("Cookie"))) return null;
  return (await findUser(request, context).catch(() => null))?.accountId ?? null;
}

/**
 * For endpoints: requires a session. Access tokens are not accepted. Like the guards below, it looks the sender up again
 * when a late body has arrived.
 */
export const member = documented({ isRequired: true }, async ({ request, context }, next) => {
  setCurrentUser(context, await findSessionOrServerError(request, context));
  checkAfterBody(request, async () => setCurrentUser(context, await findSessionNow(request, context)));
  await takeTurn(request, context);
  return next();
});

/**
 * For endpoints that programs use too: accepts a session or an access token. A token with the read scope can only read.
 * If a request carries a token, only the token counts and the session cookie is ignored.
 */
export const memberOrToken = documented(
  { isRequired: true, takesToken: true, forbids: "writes" },
  async ({ request, context }, next) => {
    const token = bearerToken(request);
    const setSender = async (find: typeof findSessionNow) => {
      if (token === null) setCurrentUser(context, await find(request, context));
      else context.set(memberContext, requireTokenUser(await orServerError(findTokenUser(token)), request));
    };
    await setSender(findSessionOrServerError);
    checkAfterBody(request, () => setSender(findSessionNow));
    await takeTurn(request, context);
    return next();
  },
);

/** For endpoints that visitors may read too: the member of the token or of the session. A wrong token gets 401. */
export async function findUserOrTokenUser(request: Request, context: Context): Promise<SessionUser | null> {
  const token = bearerToken(request);
  return token === null ? findUser(request, context) : requireTokenUser(await findTokenUser(token), request);
}

function requireTokenUser(found: Awaited<ReturnType<typeof findTokenUser>>, request: Request): SessionUser {
  if (!found) throw fail("unauthorized");
  noteAccount(found.user);
  if (found.scope === "read" && !isReading(request.method))
    throw fail("forbidden", "This token may only read");
  return found.user;
}

/** For pages: redirects a visitor to the sign-in page, which leads back here. */
export const memberPage: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const session = await findSessionOrServerError(request, context);
  if (!session) throw signInRedirect(url);
  setCurrentUser(context, session);
  checkAfterBody(request, async () => {
    const now = await findSessionNow(request, context);
    if (now?.user.id !== session.user.id) throw signInRedirect(url);
    setCurrentUser(context, now);
  });
  await takeTurn(request, context);
  return next();
};

/** For forms that visitors may post too: a member's request uses the shares of the account, as after `memberPage`. */
export const memberOrVisitor: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const session = await findSessionOrServerError(request, context);
  if (session) {
    setCurrentUser(context, session);
    await takeTurn(request, context);
  }
  return next();
};

const signInRedirect = (url: URL) => redirect(signInPath({ redirectTo: url.pathname + url.search }));

/**
 * The answer to a form that was refused after the guard of its page. The session may have ended while the form arrived,
 * and then the member is redirected to sign in, as by the guard.
 */
export function memberFormError(refusal: Refusal, url: URL, typed?: Record<string, string>) {
  if (refusal.reason === "unauthorized") throw signInRedirect(url);
  return formErrorResponse(refusal, typed);
}

/** For pages that visitors may read: only a form post by a visitor is redirected to the sign-in page. */
export const memberWrites: MiddlewareFunction<Response> = (args, next) =>
  isReading(args.request.method) ? next() : memberPage(args, next);

/**
 * For pages of some profiles: the others get a 403 page with the text of `refusalFor`, and so does a browser that was
 * left alone beside a child until somebody chooses a profile.
 */
const pageFor =
  (
    isAllowed: (user: SessionUser) => boolean,
    refusalFor: (args: PageRequest, session: FoundSession) => RefusalText,
  ): MiddlewareFunction<Response> =>
  (args, next) =>
    memberPage(args, async () => {
      const requireAllowed = async () => {
        const session = getCurrentSession(args.context);
        if (!isAllowed(session.user) || session.asksWho)
          throw await refusedPage(args.context, refusalFor(args, session));
      };
      await requireAllowed();
      checkAfterBody(args.request, requireAllowed);
      return next();
    }) as Promise<Response>;

const operatorsOnlyText = {
  title: "For operators only",
  text: "Only operators can open this page. An operator of this site can give your account that role.",
};
const operatorsOnlyTextForChild = {
  title: "For operators only",
  text: "Only operators can open this page. If you are one, switch to your own profile.",
};

export const operatorPage = pageFor(
  ({ role }) => role === "operator",
  (args, session) => (mayBeChild(session) ? withSwitch(args, operatorsOnlyTextForChild) : operatorsOnlyText),
);

/** The same as `memberFormError` for an operator, who may also have lost the role while the form arrived. */
export async function operatorFormError(
  refusal: Refusal,
  { url, context }: Pick<PageRequest, "url" | "context">,
  typed?: Record<string, string>,
) {
  if (refusal.reason === "forbidden") throw await refusedPage(context, operatorsOnlyText);
  return memberFormError(refusal, url, typed);
}

const grownUpsOnlyText = {
  title: "For grown-ups only",
  text: "The profile of a child cannot open this. Switch to the profile of a grown-up.",
};

const chooseProfileText = "This browser was not used for hours, so choose a profile first.";

/** Refuses a browser that was left alone beside a child: somebody else may sit there now. Access tokens pass. */
function requireChosenProfile(context: Context): void {
  if (context.get(sessionContext)?.asksWho) throw fail("forbidden", chooseProfileText);
}

/** After `member` or `memberOrToken`: closed to the profile of a child. */
export const grownUp = documented({ forbids: "everything" }, ({ context }, next) => {
  requireGrownUp(context);
  return next();
});

/** For endpoints that a child may use in part. */
export function requireGrownUp(context: Context): void {
  if (isChild(getCurrentUser(context))) throw fail("forbidden", grownUpsOnlyText.text);
  requireChosenProfile(context);
}

/** The same for pages. */
export const grownUpPage = pageFor(
  (user) => !isChild(user),
  (args) => withSwitch(args, grownUpsOnlyText),
);

/** For endpoints that visitors may use too: closed to the session of a child. */
export const notForChildren = documented({ forbids: "everything" }, async ({ request, context }, next) => {
  if (await comesFromChild(request, context)) throw fail("forbidden", grownUpsOnlyText.text);
  return next();
});

/** The same for pages. */
export const notForChildrenPage: MiddlewareFunction<Response> = async (args, next) => {
  if (await comesFromChild(args.request, args.context))
    throw await refusedPage(args.context, withSwitch(args, grownUpsOnlyText));
  return next();
};

async function comesFromChild(request: Request, context: Context) {
  const session = await findSessionOrServerError(request, context);
  return session !== null && isChild(session.user);
}

const ownerOnlyText = {
  title: "For the first profile only",
  text: "Only the first profile of this account can do this. Switch to it and try again.",
};

/**
 * After `member`: for changes that only the account's owner may make, such as a new password. The account's other
 * profiles get 403.
 */
export const owner = documented({ forbids: "everything" }, ({ context }, next) => {
  if (!isOwner(getCurrentUser(context))) throw fail("forbidden", ownerOnlyText.text);
  requireChosenProfile(context);
  return next();
});

/** The same for pages. */
export const ownerPage = pageFor(isOwner, (args) => withSwitch(args, ownerOnlyText));

type PageRequest = Pick<Parameters<MiddlewareFunction>[0], "request" | "url" | "context">;

/** Another profile of the account may open the page, so the answer leads to it, and back here. */
const withSwitch = ({ request, url }: PageRequest, text: RefusalText): RefusalText => ({
  ...text,
  step: {
    label: "Switch profile",
    path: profilesPath({ redirectTo: isReading(request.method) ? url.pathname + url.search : homePath() }),
  },
});

async function refusedPage(context: Context, text: RefusalText) {
  const refusal: PageRefusal = { text, site: await context.get(siteDataContext)() };
  return data(refusal, { status: 403 });
}

/** Charges the member's account and waits until one of its requests may run. Throws the response if it is refused. */
async function takeTurn(request: Request, context: Context) {
  const { accountId } = getCurrentUser(context);
  await chargeAccount(request, context, accountId);
  await admitMember(request, context, accountId);
}

export const getCurrentUser = (context: Context): SessionUser => context.get(memberContext);

/** After `member` or `memberPage`. */
export function getCurrentSession(context: Context): FoundSession {
  const session = context.get(sessionContext);
  if (session === null) throw new Error("the request has no session");
  return session;
}

function setCurrentUser(context: Context, session: FoundSession | null) {
  if (!session) throw fail("unauthorized");
  context.set(memberContext, session.user);
  context.set(sessionContext, session);
}

/** Null without a session. Throws the response of `orServerError` if the session cannot be looked up. */
export const findSessionOrServerError = (request: Request, context: Context) =>
  orServerError(findCurrentSession(request, context));

/** The same without the session that was found before. */
const findSessionNow = async (request: Request, context: Context) =>
  (await orServerError(readRequestSession(request, context))).session;

/**
 * A failed query says nothing about the session, so the cookie stays. The answer is 500, or 503 if the client has used
 * up its share or the database is busy.
 */
export async function orServerError<Found>(
  finding: Promise<Found>,
  failure = "a session could not be verified",
): Promise<Found> {
  try {
    return await finding;
  } catch (error) {
    logFailure(failure, error);
    throw errorResponse(500, "An internal server error occurred");
  }
}

/**
 * Runs on the root route. When the session's expiry has moved, sends the cookie again so that the browser keeps it as
 * long. Skips answers that a shared cache may store, because everybody would get the cookie, and answers that already
 * set the cookie.
 */
export const resendSessionCookie: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next();
  const requestSession = await context.get(requestSessionContext)?.catch(() => null);
  if (!requestSession?.secret || !requestSession.session?.touched) return response;
  if (context.get(answerStateContext).cache?.isPublic || setsSessionCookie(response, context))
    return response;
  const resent = new Response(response.body, response);
  const { secret, session } = requestSession;
  const isRestricted = isChild(session.user);
  const cookie = await sessionCookie({ secret, isRestricted }, maxIdleSessionMs, context);
  resent.headers.append("Set-Cookie", cookie);
  return resent;
};
