import { redirect } from "react-router";
import { z } from "zod";
import { requestReset } from "#app/domain/accounts/accounts.server.ts";
import { formsReturnTo } from "#app/http/form-return.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { isFormPost } from "#app/http/request-body.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { inBackground } from "#app/platform/background.server.ts";

export const middleware = [limited("reset"), sameOrigin, formsReturnTo("/reset")];

const ask = operation("POST", {
  tag: "Accounts",
  summary: "Ask for a link to set a new password",
  description: "Always 200, and at once: the answer does not tell whether the address has an account.",
  body: z.object({ email: z.string().max(1024) }),
  forms: true,
  answer: success(message),
  handle: async ({ body, request }) => {
    inBackground("a password reset", requestReset(body.email));
    if (isFormPost(request)) return redirect("/reset?notice=asked");
    return succeed({ message: "If an account has this address, a link is on its way" });
  },
});

export const loader = serve(ask);
export const action = loader;
