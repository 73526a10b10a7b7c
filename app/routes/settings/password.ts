import { redirect } from "react-router";
import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { credentialInput } from "#app/api/credentials.ts";
import { changePassword } from "#app/domain/accounts/accounts.server.ts";
import { getCurrentSession, memberPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { renewedSessionHeaders } from "#app/http/access/signed-in.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { settingsPath } from "#app/paths.ts";
import type { Route } from "./+types/password";
import { FormRefusal } from "./form-refusal.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  limited("password", { on: "writes" }),
  sameOriginPage,
  memberPage,
];
export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

const passwords = z.object({ current: credentialInput.optional(), password: credentialInput });

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(passwords, request);
  if (!form.ok) return formErrorResponse(form);
  const { id: sessionId, user } = getCurrentSession(context);
  const changed = await changePassword({ ...form.value, userId: user.id, sessionId });
  if (!changed.ok) return formErrorResponse(changed);
  throw redirect(`${settingsPath({ notice: "password-changed" })}#password`, {
    headers: await renewedSessionHeaders(changed.value, context),
  });
}

export default FormRefusal;
