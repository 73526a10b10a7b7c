import { z } from "zod";
import { signUpPassOf } from "#app/access/answer-sign-in.server.ts";
import { findCurrentSession } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { isProviderConfigured, startProviderSignIn } from "#app/access/provider/provider.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { admitSignUp } from "#app/domain/joining/joining.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { signInPath } from "#app/paths.ts";
import { credentialInput } from "#app/wire/credentials.ts";

export const middleware = [limited("provider"), sameOrigin, redirectFailedFormsTo(signInPath())];

const start = operation("POST", {
  tag: "Accounts",
  summary: "Sign in through the external provider",
  description: "Redirects the browser to the provider, which sends it back to `/api/auth/callback`.",
  body: z
    .object({
      redirectTo: z.string().optional(),
      code: credentialInput.optional(),
      invitation: credentialInput.optional(),
    })
    .optional(),
  forms: true,
  answer: { bytes: [] },
  status: 302,
  headers: ["Set-Cookie"],
  refuses: ["not_found", "upstream_failed"],
  handle: async ({ body, request, context }) => {
    if (!isProviderConfigured()) return refuse("not_found", "No sign-in provider is configured");
    const admitted = await admitSignUp(signUpPassOf(context, body));
    const session = await findCurrentSession(request, context);
    const started = await startProviderSignIn(request, {
      asksWho: session?.asksWho ?? false,
      redirectTo: safeRedirectTarget(body?.redirectTo, context.get(clientContext).origin),
      ...(admitted.ok && { admission: admitted.value }),
    });
    return started.ok ? started.value : started;
  },
});

export const loader = serve(start);
export const action = loader;
