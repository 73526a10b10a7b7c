import { redirect } from "react-router";
import { z } from "zod";
import { changePassword } from "#app/domain/accounts/accounts.server.ts";
import { formsReturnTo } from "#app/http/form-return.server.ts";
import { currentSession, member } from "#app/http/guard.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { isFormPost } from "#app/http/request-body.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { renewedHeaders } from "#app/http/signed-in.server.ts";

export const middleware = [limited("password"), sameOrigin, member, formsReturnTo("/settings")];

const text = z.string().max(1024);

const change = operation("POST", {
  tag: "Accounts",
  summary: "Change the password; all other sessions end",
  description: "`current` is left out by an account that has no password yet.",
  body: z.object({ current: text.optional(), password: text }),
  forms: true,
  answer: success(message),
  refuses: ["conflict", "overloaded"],
  handle: async ({ body, request, context }) => {
    const { id: sessionId, user } = currentSession(context);
    const changed = await changePassword({ ...body, userId: user.id, sessionId });
    if (!changed.ok) return changed;
    const headers = await renewedHeaders(changed.value, context);
    if (isFormPost(request)) return redirect("/settings?notice=password-changed", { headers });
    return Response.json(succeed({ message: "Password changed" }), { headers });
  },
});

export const loader = serve(change);
export const action = loader;
