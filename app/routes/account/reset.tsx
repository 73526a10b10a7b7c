import { Form, redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { findCurrentSession } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { clientDeviceOf, renewedSessionHeaders } from "#app/access/session-headers.server.ts";
import type { FoundSession } from "#app/domain/accounts/accounts.server.ts";
import { isOwner } from "#app/domain/accounts/accounts.ts";
import { refuse } from "#app/domain/errors.ts";
import { ownerOnlyRefusal } from "#app/domain/household/household.server.ts";
import {
  changePassword,
  confirmPasswordReset,
  hasPassword,
  isLinkUsable,
  requestPasswordReset,
} from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { resetPath, signInPath } from "#app/paths.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { canSendMail } from "#app/platform/mail.server.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/reset";
import { AccountPage } from "./account-page.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("reset"), sameOriginPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Set a new password",
    description: "Set a new password when you have forgotten the old one.",
  });

type ResetView =
  | { kind: "ask"; mail: boolean; isRequested: boolean; error: string | undefined }
  | { kind: "unusable" }
  | { kind: "confirm"; token: string }
  /** For the owner of an account that signs in through the provider and has no password. */
  | { kind: "set"; removed: boolean; redirectTo: string };

/**
 * False for a child, and in a browser that was left alone beside one: the password would open every profile of the
 * account.
 */
const maySetPassword = ({ user, asksWho }: FoundSession) => isOwner(user) && !asksWho;

export async function loader({ request, context, url }: Route.LoaderArgs): Promise<ResetView> {
  const query = url.searchParams;
  const token = query.get("token");
  if (token !== null)
    return (await isLinkUsable("reset", token)) ? { kind: "confirm", token } : { kind: "unusable" };
  const session = await findCurrentSession(request, context);
  if (session && maySetPassword(session) && !(await hasPassword(session.user.id)))
    return {
      kind: "set",
      removed: query.get("notice") === "password-removed",
      redirectTo: safeRedirectTarget(query.get("redirectTo")),
    };
  const error = query.has("error") ? "That did not work. Check what you typed and try again." : undefined;
  return { kind: "ask", mail: canSendMail(), isRequested: query.get("notice") === "asked", error };
}

const forms = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("ask"), email: credentialInput }),
  z.object({ intent: z.literal("confirm"), token: credentialInput, password: credentialInput }),
  z.object({ intent: z.literal("set"), password: credentialInput, redirectTo: z.string().optional() }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(forms, request);
  if (!form.ok) return formErrorResponse(form);
  const input = form.value;
  if (input.intent === "set") return setPassword(input, { request, context });
  if (input.intent === "confirm") {
    const confirmed = await confirmPasswordReset(input, clientDeviceOf(request, context));
    if (!confirmed.ok) return formErrorResponse(confirmed);
    throw redirect(signInPath({ notice: "password-set" }));
  }
  inBackground("a password reset", requestPasswordReset(input.email));
  throw redirect(resetPath({ notice: "asked" }));
}

const signedOutRefusal = refuse("unauthorized", "You are no longer signed in. Sign in again.");

type NewPasswordInput = { password: string; redirectTo?: string | undefined };

async function setPassword(
  { password, redirectTo }: NewPasswordInput,
  { request, context }: Pick<Route.ActionArgs, "request" | "context">,
) {
  const session = await findCurrentSession(request, context);
  if (!session) return formErrorResponse(signedOutRefusal);
  if (!maySetPassword(session)) return formErrorResponse(ownerOnlyRefusal);
  const changed = await changePassword({
    session,
    password,
    actor: memberOf(context),
  });
  if (!changed.ok) return formErrorResponse(changed.reason === "unauthorized" ? signedOutRefusal : changed);
  throw redirect(safeRedirectTarget(redirectTo), {
    headers: await renewedSessionHeaders(changed.value, context),
  });
}

export default function Reset({ loaderData: view, actionData }: Route.ComponentProps) {
  const formErrors = errorsByField(actionData);
  const title = view.kind === "set" ? "Set a password" : "Set a new password";
  return (
    <AccountPage title={title}>
      <ErrorSummary
        message={formErrors.message ?? (view.kind === "ask" ? view.error : undefined)}
        answer={actionData}
      />
      {view.kind === "ask" && <LinkRequest view={view} error={formErrors.error("email")} />}
      {view.kind === "unusable" && (
        <>
          <Notice>This link was used already, or is older than half an hour.</Notice>
          <Link className="button" data-kind="primary" to={resetPath()}>
            Ask for a new link
          </Link>
        </>
      )}
      {view.kind === "confirm" && (
        <NewPassword
          intent="confirm"
          hiddenFields={{ token: view.token }}
          error={formErrors.error("password")}
        />
      )}
      {view.kind === "set" && (
        <>
          <Notice>
            {view.removed
              ? "Your provider has confirmed the e-mail address of this account, which nobody had done before. Somebody else may have set its password, so we removed that password and signed out every device that used it."
              : "You sign in through your provider. If you set a password, you can also sign in without the provider."}
          </Notice>
          <NewPassword
            intent="set"
            hiddenFields={{ redirectTo: view.redirectTo }}
            error={formErrors.error("password")}
          />
          <Link to={view.redirectTo}>Continue without a password</Link>
        </>
      )}
    </AccountPage>
  );
}

function LinkRequest({
  view,
  error,
}: {
  view: Extract<ResetView, { kind: "ask" }>;
  error: string | undefined;
}) {
  if (!view.mail)
    return (
      <Notice>
        This site cannot send e-mail. Ask one of its operators for a link with which you can set a new
        password. Operators make it on their page “Users”.
      </Notice>
    );
  if (view.isRequested)
    return (
      <Notice>
        If an account has this address, we have sent a link to it. The link works once, for half an hour.
      </Notice>
    );
  return (
    <Form method="post">
      <input type="hidden" name="intent" value="ask" />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        hint="We send a link there."
        error={error}
      />
      <button className="button" data-kind="primary" data-wide type="submit">
        Send the link
      </button>
    </Form>
  );
}

type NewPasswordProps = { intent: string; hiddenFields: Record<string, string>; error: string | undefined };

function NewPassword({ intent, hiddenFields, error }: NewPasswordProps) {
  return (
    <OnceForm>
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <PasswordField label="New password" autoComplete="new-password" error={error} showRules />
      <button className="button" data-kind="primary" data-wide type="submit">
        Set the password
      </button>
    </OnceForm>
  );
}
