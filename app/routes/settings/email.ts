import { redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, memberFormError, ownerPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { renewedSessionHeaders } from "#app/access/session-headers.server.ts";
import { changeEmail } from "#app/domain/sign-in/sign-in.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { settingsPath } from "#app/paths.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/email";
import { RefusedEmail } from "./sign-in-forms.tsx";

/** The password rate limit, because this form checks a password too. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("password"), sameOriginPage, ownerPage];
export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

const emailChange = z.object({ email: credentialInput, current: credentialInput.optional() });

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(emailChange, request);
  if (!form.ok) return formErrorResponse(form);
  const session = getCurrentSession(context);
  const changed = await changeEmail({ ...form.value, session, actor: memberOf(context) });
  if (!changed.ok) return memberFormError(changed, url, { email: form.value.email });
  throw redirect(`${settingsPath({ notice: "email-changed" })}#email`, {
    headers: await renewedSessionHeaders(changed.value, context),
  });
}

export default RefusedEmail;
