import { redirect } from "react-router";
import { z } from "zod";
import { confirmReset } from "#app/domain/accounts/accounts.server.ts";
import { formsReturnTo } from "#app/http/form-return.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { isFormPost } from "#app/http/request-body.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { callerOf } from "#app/http/signed-in.server.ts";

export const middleware = [limited("reset"), sameOrigin, formsReturnTo("/reset")];

const text = z.string().max(1024);

const confirm = operation("POST", {
  tag: "Accounts",
  summary: "Set a new password with a link's token; all sessions end",
  description: "400 once the token was used, or after half an hour.",
  body: z.object({ token: text, password: text }),
  forms: true,
  answer: success(message),
  refuses: ["overloaded"],
  handle: async ({ body, request, context }) => {
    const confirmed = await confirmReset(body, callerOf(request, context));
    if (!confirmed.ok) return confirmed;
    if (isFormPost(request)) return redirect("/signin?notice=password-set");
    return succeed({ message: "Password set" });
  },
});

export const loader = serve(confirm);
export const action = loader;
