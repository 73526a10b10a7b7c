import { createContext, type MiddlewareFunction } from "react-router";
import { mayShowMature, type SessionUser } from "../domain/accounts/accounts.ts";
import type { Context } from "./context.server.ts";
import { fail } from "./error-response.server.ts";

/** Who is asking. A guard stands on every guarded route itself: a parent's protects nothing. */

type Visit = { user: Promise<SessionUser | null> };
const visitContext = createContext<Visit | null>(null);
const memberContext = createContext<SessionUser>();

/** Looks the session up once a request, and only when somebody asks. */
export function findUser(request: Request, context: Context): Promise<SessionUser | null> {
  const known = context.get(visitContext);
  if (known) return known.user;
  const visit = { user: readSession(request) };
  context.set(visitContext, visit);
  return visit.user;
}

async function readSession(_request: Request): Promise<SessionUser | null> {
  return null;
}

export const member: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const user = await findUser(request, context);
  if (!user) throw fail("unauthorized");
  context.set(memberContext, user);
  return next();
};

export const operator: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const user = await findUser(request, context);
  if (!user) throw fail("unauthorized");
  if (user.role !== "operator") throw fail("forbidden");
  context.set(memberContext, user);
  return next();
};

export const currentUser = (context: Context): SessionUser => context.get(memberContext);

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
