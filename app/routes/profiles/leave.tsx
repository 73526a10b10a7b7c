import { Form, redirect } from "react-router";
import { z } from "zod";
import { signUpPassOf } from "#app/access/answer-sign-in.server.ts";
import { getCurrentSession, grownUpPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { clientDeviceOf, renewedSessionHeaders } from "#app/access/session-headers.server.ts";
import { isOwner } from "#app/domain/accounts/accounts.ts";
import { getLeavingMode, leaveAccount } from "#app/domain/household/household.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { profilePath, settingsPath } from "#app/paths.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/leave";

/** Turns a profile into a separate account. */
export const middleware: Route.MiddlewareFunction[] = [limitedWrites("signup"), sameOriginPage, grownUpPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "An account of its own",
    description: "Take this profile out of the household, with everything in it.",
  });

export async function loader({ context }: Route.LoaderArgs) {
  const session = getCurrentSession(context);
  if (isOwner(session.user)) throw redirect(settingsPath());
  const { isLocal } = signUpPassOf(context);
  return { name: session.user.name, mode: await getLeavingMode(session, isLocal) };
}

const newAccess = z.object({
  email: credentialInput,
  password: credentialInput,
  code: credentialInput.optional(),
  invitation: credentialInput.optional(),
});

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(newAccess, request);
  if (!form.ok) return formErrorResponse(form);
  const pass = signUpPassOf(context, form.value);
  const client = clientDeviceOf(request, context);
  const left = await leaveAccount(getCurrentSession(context), form.value, pass, client);
  if (!left.ok) {
    const { email, code = "", invitation = "" } = form.value;
    return formErrorResponse(left, { email, code, invitation });
  }
  throw redirect(profilePath(), { headers: await renewedSessionHeaders(left.value, context) });
}

export default function Leave({ loaderData: { name, mode }, actionData }: Route.ComponentProps) {
  const formErrors = errorsByField(actionData);
  return (
    <div className="wrap page account-page">
      <div className="account-card">
        <h1>An account of its own</h1>
        <p className="lead">
          {name} leaves this account and signs in with an e-mail address and a password of its own. Its lists,
          histories, pictures and settings stay as they are. Its access tokens end, and so do its sessions on
          other devices.
        </p>
        <ErrorSummary message={formErrors.message} answer={actionData} />
        {mode === "closed" ? (
          <Notice>Sign-up is closed here. Ask the operator of this site.</Notice>
        ) : (
          <Form method="post">
            <TextField
              label="E-mail address"
              name="email"
              type="email"
              autoComplete="username"
              formErrors={formErrors}
            />
            <PasswordField autoComplete="new-password" error={formErrors.error("password")} />
            {mode === "code" && (
              <TextField label="Sign-up code" name="code" autoComplete="off" formErrors={formErrors} />
            )}
            {mode === "invite" && (
              <TextField
                label="Invitation"
                name="invitation"
                autoComplete="off"
                hint="The link or the code that an operator gives you."
                formErrors={formErrors}
              />
            )}
            <button className="button" data-kind="primary" data-wide type="submit">
              Make this an account of its own
            </button>
          </Form>
        )}
        <p className="account-foot">
          <Link to={settingsPath()}>Cancel</Link>
        </p>
      </div>
    </div>
  );
}
