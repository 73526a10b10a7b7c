import { z } from "zod";
import { signUpClosedTo } from "#app/domain/accounts/accounts.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { clientContext } from "#app/http/context.server.ts";
import { formsReturnTo } from "#app/http/form-return.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { isProviderConfigured, startProviderSignIn } from "#app/http/provider.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";

export const middleware = [limited("provider"), sameOrigin, formsReturnTo("/signin")];

const start = operation("POST", {
  tag: "Accounts",
  summary: "Sign in through the external provider",
  description: "Redirects the browser to the provider, which sends it back to `/api/auth/callback`.",
  body: z.object({ redirectTo: z.string().optional(), code: z.string().max(1024).optional() }).optional(),
  forms: true,
  answer: { bytes: ["text/html"] },
  status: 302,
  refuses: ["not_found", "upstream_failed"],
  handle: async ({ body, context }) => {
    if (!isProviderConfigured()) return refuse("not_found", "No sign-in provider is configured");
    const started = await startProviderSignIn({
      redirectTo: redirectTarget(body?.redirectTo, context.get(clientContext).origin),
      invited: signUpClosedTo(body?.code) === null,
    });
    return started.ok ? started.value : started;
  },
});

export const loader = serve(start);
export const action = loader;
