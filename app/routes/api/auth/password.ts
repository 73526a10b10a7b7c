import { redirect } from "react-router";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, member, owner } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { renewedSessionHeaders } from "#app/access/session-headers.server.ts";
import { changePassword } from "#app/domain/sign-in/sign-in.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { isFormPost } from "#app/http/endpoint/request-body.server.ts";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { settingsPath } from "#app/paths.ts";
import { passwordChangeInput } from "#app/wire/credentials.ts";

export const middleware = [
  limited("password"),
  sameOrigin,
  member,
  owner,
  redirectFailedFormsTo(settingsPath()),
];

const change = operation("POST", {
  tag: "Accounts",
  summary: "Change the password; all other sessions and all access tokens end",
  description:
    "Leave out `current` if the account has no password yet. `endTokens: false` keeps the access tokens. Reset links made before the change end in any case.",
  body: passwordChangeInput,
  forms: true,
  answer: success(messageObject),
  headers: ["Set-Cookie"],
  refuses: ["conflict", "overloaded"],
  handle: async ({ body, request, context }) => {
    const changed = await changePassword({
      ...body,
      session: getCurrentSession(context),
      actor: memberOf(context),
    });
    if (!changed.ok) return changed;
    const headers = await renewedSessionHeaders(changed.value, context);
    if (isFormPost(request))
      return redirect(
        settingsPath({ notice: body.endTokens ? "password-changed" : "password-changed-tokens-kept" }),
        { headers },
      );
    return Response.json(succeed({ message: "Password changed" }), { headers });
  },
});

export const loader = serve(change);
export const action = loader;
