import { redirect } from "react-router";
import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { confirmPasswordReset } from "#app/domain/sign-in/sign-in.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { isFormPost } from "#app/http/endpoint/request-body.server.ts";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { resetPath, signInPath } from "#app/paths.ts";
import { credentialInput, newPasswordInput } from "#app/wire/credentials.ts";

export const middleware = [limited("reset"), sameOrigin, redirectFailedFormsTo(resetPath())];

const confirm = operation("POST", {
  tag: "Accounts",
  summary: "Set a new password with a link's token; all sessions end",
  description: "400 if the token was used already or is older than half an hour.",
  body: z.object({ token: credentialInput, password: newPasswordInput }),
  forms: true,
  answer: success(messageObject),
  refuses: ["overloaded"],
  handle: async ({ body, request, context }) => {
    const confirmed = await confirmPasswordReset(body, clientDeviceOf(request, context));
    if (!confirmed.ok) return confirmed;
    if (isFormPost(request)) return redirect(signInPath({ notice: "password-set" }));
    return succeed({ message: "Password set" });
  },
});

export const loader = serve(confirm);
export const action = loader;
