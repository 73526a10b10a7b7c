import { redirect } from "react-router";
import { z } from "zod";
import { signedInHeaders, signUpPassOf, targetAfterSignIn } from "#app/access/answer-sign-in.server.ts";
import { findCurrentSession } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import {
  finishProviderSignIn,
  isProviderConfigured,
  spentAttemptCookies,
} from "#app/access/provider/provider.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { mayBeChild } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { admitSignUp } from "#app/domain/joining/joining.server.ts";
import { type ProviderSignIn, signInWithProvider } from "#app/domain/sign-in/sign-in.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { resetPath, signInPath, signUpProfilePath } from "#app/paths.ts";

export const middleware = [limited("callback")];

const finish = operation("GET", {
  tag: "Accounts",
  summary: "The page to which the external provider returns the browser",
  description:
    "Redirects to the page where sign-in began; a new account continues with the second step of signing up.",
  query: z.object({
    code: z.string().optional(),
    state: z.string().optional(),
    error: z.string().optional().describe("Why the provider refused"),
  }),
  answer: { bytes: [] },
  status: 302,
  headers: ["Set-Cookie"],
  showsErrorPages: true,
  refuses: ["invalid", "forbidden", "not_found", "upstream_failed"],
  noHead: true,
  handle: async ({ request, context }) => {
    if (!isProviderConfigured()) return refuse("not_found", "No sign-in provider is configured");
    const signedIn = await signInFromCallback(request, context);
    const changedCookies = await spentAttemptCookies(request);
    const answer = signedIn.ok
      ? redirect(nextPage(signedIn.value), {
          headers: await signedInHeaders(signedIn.value, request, context),
        })
      : providerRefusalResponse(signedIn, request);
    for (const cookie of changedCookies) answer.headers.append("Set-Cookie", cookie);
    return answer;
  },
});

/**
 * A refusal at a URL that the provider sends browsers to. Programs get JSON; browsers get a page with the same status that
 * leads back to the sign-in page.
 */
function providerRefusalResponse(refusal: Refusal, request: Request): Response {
  const answer = refusalResponse(refusal);
  if (!request.headers.get("Accept")?.includes("text/html")) return answer;
  const back = signInPath({ error: `provider-${answer.status}` });
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign-in did not work</title>
<meta http-equiv="refresh" content="0; url=${back}"></head>
<body><h1>Sign-in did not work</h1><p><a href="${back}">Back to signing in</a></p></body></html>
`;
  const headers = new Headers(answer.headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(html, { status: answer.status, headers });
}

type FinishedSignIn = ProviderSignIn & { redirectTo: string };

async function signInFromCallback(request: Request, context: Context): Promise<Outcome<FinishedSignIn>> {
  const finished = await finishProviderSignIn(request);
  if (!finished.ok) return finished;
  const { profile, redirectTo, admission } = finished.value;
  const admitted = admission ? done(admission) : await admitSignUp(signUpPassOf(context));
  const session = await findCurrentSession(request, context);
  // Otherwise a child could make an account of its own here, which has no ceiling.
  const mayJoin = session === null || !mayBeChild(session);
  const signedIn = await signInWithProvider(
    profile,
    clientDeviceOf(request, context),
    mayJoin ? admitted : refuse("forbidden", "Switch to the profile of a grown-up to make an account"),
  );
  if (!signedIn.ok) return signedIn;
  const target = await targetAfterSignIn(signedIn.value, redirectTo);
  return done({ ...signedIn.value, redirectTo: target });
}

/** The reset page tells a member that the old password was removed, and lets them set a new one. */
function nextPage({ isNew, passwordRemoved, redirectTo }: FinishedSignIn) {
  if (!isNew && !passwordRemoved) return redirectTo;
  return isNew ? signUpProfilePath({ redirectTo }) : resetPath({ notice: "password-removed", redirectTo });
}

export const loader = serve(finish);
export const action = loader;
