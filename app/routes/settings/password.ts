import { redirect } from "react-router";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, memberFormError, ownerPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { renewedSessionHeaders } from "#app/access/session-headers.server.ts";
import { changePassword } from "#app/domain/sign-in/sign-in.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { settingsPath } from "#app/paths.ts";
import { passwordChangeInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/password";
import { FormRefusal } from "./form-refusal.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("password"), sameOriginPage, ownerPage];
export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(passwordChangeInput, request);
  if (!form.ok) return formErrorResponse(form);
  const changed = await changePassword({
    ...form.value,
    session: getCurrentSession(context),
    actor: memberOf(context),
  });
  if (!changed.ok) return memberFormError(changed, url);
  const notice = form.value.endTokens ? "password-changed" : "password-changed-tokens-kept";
  throw redirect(`${settingsPath({ notice })}#password`, {
    headers: await renewedSessionHeaders(changed.value, context),
  });
}

export default FormRefusal;
