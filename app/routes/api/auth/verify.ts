import { redirect } from "react-router";
import { z } from "zod";
import { verifyEmail } from "#app/domain/accounts/accounts.server.ts";
import { formsReturnTo } from "#app/http/form-return.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { isFormPost } from "#app/http/request-body.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";

export const middleware = [limited("verify"), sameOrigin, formsReturnTo("/verify")];

const confirm = operation("POST", {
  tag: "Accounts",
  summary: "Confirm an e-mail address with a mailed link's token",
  body: z.object({ token: z.string().max(1024) }),
  forms: true,
  answer: success(message),
  handle: async ({ body, request }) => {
    const verified = await verifyEmail(body.token);
    if (!verified.ok) return verified;
    if (isFormPost(request)) return redirect("/verify?notice=verified");
    return succeed({ message: "Address confirmed" });
  },
});

export const loader = serve(confirm);
export const action = loader;
