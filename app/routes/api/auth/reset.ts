import { redirect } from "react-router";
import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { requestPasswordReset } from "#app/domain/sign-in/sign-in.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { isFormPost } from "#app/http/endpoint/request-body.server.ts";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { resetPath } from "#app/paths.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { credentialInput } from "#app/wire/credentials.ts";

export const middleware = [limited("reset"), sameOrigin, redirectFailedFormsTo(resetPath())];

const ask = operation("POST", {
  tag: "Accounts",
  summary: "Ask for a link to set a new password",
  description:
    "Always answers 200 at once, so that the answer does not reveal whether the address has an account.",
  body: z.object({ email: credentialInput }),
  forms: true,
  answer: success(messageObject),
  handle: async ({ body, request }) => {
    inBackground("a password reset", requestPasswordReset(body.email));
    if (isFormPost(request)) return redirect(resetPath({ notice: "asked" }));
    return succeed({ message: "If an account has this address, we send a link to it" });
  },
});

export const loader = serve(ask);
export const action = loader;
