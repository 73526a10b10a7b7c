import { redirect } from "react-router";
import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { verifyEmail } from "#app/domain/sign-in/sign-in.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { isFormPost } from "#app/http/endpoint/request-body.server.ts";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { verifyPath } from "#app/paths.ts";
import { credentialInput } from "#app/wire/credentials.ts";

export const middleware = [limited("verify"), sameOrigin, redirectFailedFormsTo(verifyPath())];

const confirm = operation("POST", {
  tag: "Accounts",
  summary: "Confirm an e-mail address with a mailed link's token",
  body: z.object({ token: credentialInput }),
  forms: true,
  answer: success(messageObject),
  handle: async ({ body, request }) => {
    const verified = await verifyEmail(body.token);
    if (!verified.ok) return verified;
    if (isFormPost(request)) return redirect(verifyPath({ notice: "verified" }));
    return succeed({ message: "Address confirmed" });
  },
});

export const loader = serve(confirm);
export const action = loader;
