import { z } from "zod";
import { signIn } from "#app/domain/accounts/accounts.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { formsReturnTo } from "#app/http/form-return.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { answerSignedIn, callerOf, signedInAnswer } from "#app/http/signed-in.server.ts";

export const middleware = [limited("signin"), sameOrigin, formsReturnTo("/signin")];

const text = z.string().max(1024);

const create = operation("POST", {
  tag: "Accounts",
  summary: "Sign in with e-mail address and password",
  description: "Any wrong pair is a 401. A form post goes to `redirectTo`, if that is a path of this site.",
  body: z.object({ email: text, password: text, redirectTo: z.string().optional() }),
  forms: true,
  answer: signedInAnswer,
  refuses: ["unauthorized", "overloaded"],
  handle: async ({ body, request, context }) => {
    const signedIn = await signIn(body, callerOf(request, context));
    if (!signedIn.ok) return signedIn;
    const formTarget = redirectTarget(body.redirectTo, context.get(clientContext).origin);
    return answerSignedIn(signedIn.value, { request, context, formTarget });
  },
});

export const loader = serve(create);
export const action = loader;
