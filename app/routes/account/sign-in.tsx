import { redirect, useNavigation } from "react-router";
import { z } from "zod";
import { signedInHeaders, targetAfterSignIn } from "#app/access/answer-sign-in.server.ts";
import { findCurrentSession } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { providerName } from "#app/access/provider/provider.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { listPasswordErrors, mayBeChild } from "#app/domain/accounts/accounts.ts";
import { signIn } from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { readSessionSecret } from "#app/http/guards/session-cookie.server.ts";
import { linkPath, resetPath, signUpPath, splitAddition } from "#app/paths.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/sign-in";
import { AccountPage, ProviderForm } from "./account-page.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("signin"), sameOriginPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Sign in", description: "Sign in to see your list and to continue watching." });

/** Texts for `?error=`, which an endpoint or the provider's callback sets when it refuses a plain form. */
const errorTexts = new Map([
  ["400", "Fill in both fields."],
  ["401", "Invalid email or password"],
  ["404", "This site has no sign-in provider."],
  ["503", "Many people are signing in right now. Try again in a moment."],
  ["provider-400", "Signing in through the provider did not work. Try again, or use your password."],
  [
    "provider-403",
    "This site accepts no new accounts through the provider, or your account here is disabled.",
  ],
]);
const otherErrorText = "Signing in did not work. Try again shortly.";
const noticeTexts = new Map([
  ["password-set", "Your new password is set. Sign in with it."],
  ["again", "Sign in again to open that profile."],
]);
const endedText = "Your session has ended. Sign in again.";

/** Members' pages by the first part of their path, as the sign-in page calls them. */
const memberPages = new Map([
  ["list", "your list"],
  ["history", "your history"],
  ["wishes", "your wishes"],
  ["profile", "your page"],
  ["profiles", "your profiles"],
  ["settings", "your settings"],
  ["admin", "the administration"],
]);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const redirectTo = safeRedirectTarget(url.searchParams.get("redirectTo"), url.origin);
  const { path, malId } = splitAddition(redirectTo);
  // A child's profile may open this page, and so may a browser that was left alone beside one: an adult signs in there.
  // So may whoever proves by signing in again that another profile of the account is theirs.
  const session = await findCurrentSession(request, context);
  const notice = url.searchParams.get("notice") ?? "";
  if (session !== null && !mayBeChild(session) && notice !== "again") throw redirect(path);
  const hasEnded = session === null && (await readSessionSecret(request, context)) !== null;
  const error = url.searchParams.get("error");
  return {
    redirectTo,
    provider: providerName(),
    error: error === null ? undefined : (errorTexts.get(error) ?? otherErrorText),
    addsTitle: malId !== null,
    opens: memberPages.get(path.split(/[/?#]/, 2)[1] ?? ""),
    notice: noticeTexts.get(notice) ?? (hasEnded ? endedText : undefined),
  };
}

const credentials = z.object({
  email: credentialInput,
  password: credentialInput,
  redirectTo: z.string().optional(),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(credentials, request);
  if (!form.ok) return formErrorResponse(form);
  const { email, password, redirectTo } = form.value;
  const signedIn = await signIn({ email, password }, clientDeviceOf(request, context));
  if (!signedIn.ok) return formErrorResponse({ ...signedIn, issues: passwordIssues(password) }, { email });
  const headers = await signedInHeaders(signedIn.value, request, context);
  const target = safeRedirectTarget(redirectTo, url.origin);
  throw redirect(await targetAfterSignIn(signedIn.value, target), { headers });
}

/**
 * The issues of a password that was refused. The form accepts any password; after a refusal it helps to learn that this
 * site cannot have such a password.
 */
function passwordIssues(password: string) {
  const errors = listPasswordErrors(password);
  if (errors.length === 0) return [];
  return [
    { path: "password", message: `cannot be a password of this site: it would need ${errors.join(" and ")}` },
  ];
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { redirectTo, provider, error, addsTitle, opens, notice } = loaderData;
  const formErrors = errorsByField(actionData);
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <AccountPage title="Sign in">
      {addsTitle && (
        <p className="lead">
          Sign in or make an account to keep a list. The title is then on it, and you come back to its page.
        </p>
      )}
      {opens && !addsTitle && <p className="lead">{`Sign in to open ${opens}.`}</p>}
      {notice && !actionData && <Notice>{notice}</Notice>}
      <ErrorSummary message={formErrors.message ?? error} answer={actionData} />
      <OnceForm>
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          formErrors={formErrors}
        />
        <PasswordField autoComplete="current-password" error={formErrors.error("password")} />
        <button className="button" data-kind="primary" data-wide type="submit" aria-disabled={isBusy}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
      </OnceForm>
      {provider && <ProviderForm provider={provider} redirectTo={redirectTo} />}
      <p className="account-foot">
        <Link to={resetPath()}>Forgot your password?</Link>
        <Link to={linkPath()}>Sign in with another device</Link>
        <Link to={signUpPath({ redirectTo })}>Make an account</Link>
      </p>
    </AccountPage>
  );
}
