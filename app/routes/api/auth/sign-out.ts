import { type MiddlewareFunction, redirect } from "react-router";
import { findSessionOrServerError } from "#app/access/guards/guard.server.ts";
import { signedOutHeaders } from "#app/access/session-headers.server.ts";
import { mayBeChild } from "#app/domain/accounts/accounts.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { isFormPost } from "#app/http/endpoint/request-body.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { homePath, profilesPath } from "#app/paths.ts";

/** Without a session this browser would show what visitors see, which is more than a child may see. */
const staysWithChild: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const session = await findSessionOrServerError(request, context);
  if (session === null || !mayBeChild(session)) return next();
  if (isFormPost(request)) return redirect(profilesPath());
  throw fail("forbidden", "Switch to the profile of a grown-up to sign out");
};

export const middleware = [unlimited("A session can always be ended"), sameOrigin, staysWithChild];

const end = operation("POST", {
  tag: "Accounts",
  summary: "End this session",
  description:
    "Takes no body, needs no session, and may be repeated. The profile of a child cannot sign out: 403.",
  answer: success(messageObject),
  headers: ["Set-Cookie"],
  redirectsForms: true,
  optionalSignIn: "session",
  refuses: ["forbidden"],
  handle: async ({ request, context }) => {
    const headers = await signedOutHeaders(request, context);
    if (isFormPost(request)) return redirect(homePath(), { headers });
    return Response.json(succeed({ message: "Signed out" }), { headers });
  },
});

export const loader = serve(end);
export const action = loader;
