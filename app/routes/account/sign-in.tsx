import { Form, Link, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { signIn } from "#app/domain/accounts/accounts.server.ts";
import { passwordFaults } from "#app/domain/accounts/accounts.ts";
import { refuse } from "#app/domain/errors.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { findUser } from "#app/http/guard.server.ts";
import { providerName } from "#app/http/provider.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { callerOf, signedInHeaders } from "#app/http/signed-in.server.ts";
import { AccountPage, ProviderForm } from "#app/ui/account-page.tsx";
import { faultsByField } from "#app/ui/form-faults.ts";
import { ErrorSummary, Notice } from "#app/ui/form-field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { PasswordField } from "#app/ui/password-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/sign-in";

export const middleware: Route.MiddlewareFunction[] = [limited("signin", { on: "writes" }), sameOriginPage];
export const headers = () => ({ "Cache-Control": "no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Sign in", description: "Sign in to your lists and where you left off." });

/** What an endpoint or the provider's callback sent a form back with. */
const errors = new Map([
  ["400", "Fill in both fields."],
  ["401", "Invalid email or password"],
  ["404", "No other way to sign in is set up here."],
  ["503", "Many people are signing in right now. Try again in a moment."],
  ["provider-400", "Signing in through the provider did not work. Try again, or use your password."],
  ["provider-403", "The provider knows you, but this site lets nobody new in that way."],
]);
const otherError = "Signing in did not work. Try again shortly.";
const notices = new Map([["password-set", "Your new password is set. Sign in with it."]]);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const redirectTo = redirectTarget(url.searchParams.get("redirectTo"), url.origin);
  if (await findUser(request, context)) throw redirect(redirectTo);
  const error = url.searchParams.get("error");
  return {
    redirectTo,
    provider: providerName(),
    error: error === null ? undefined : (errors.get(error) ?? otherError),
    notice: notices.get(url.searchParams.get("notice") ?? ""),
  };
}

const text = z.string().max(1024);
const credentials = z.object({ email: text, password: text, redirectTo: z.string().optional() });

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(credentials, request);
  if (!form.ok) return formFaults(form);
  const { email, password, redirectTo } = form.value;
  const faults = passwordFaults(password);
  if (faults.length > 0)
    return formFaults(
      refuse("invalid", "That cannot be your password.", [
        { path: "password", message: `needs ${faults.join(" and ")}` },
      ]),
      { email },
    );
  const signedIn = await signIn({ email, password }, callerOf(request, context));
  if (!signedIn.ok) return formFaults(signedIn, { email });
  const headers = await signedInHeaders(signedIn.value.secret, request, context);
  throw redirect(redirectTarget(redirectTo, new URL(request.url).origin), { headers });
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { redirectTo, provider, error, notice } = loaderData;
  const faults = faultsByField(actionData);
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <AccountPage title="Sign in">
      {notice && !actionData && <Notice>{notice}</Notice>}
      <ErrorSummary message={faults.message ?? error} answer={actionData} />
      <Form method="post">
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={faults.typed("email")}
          error={faults.error("email")}
        />
        <PasswordField autoComplete="current-password" error={faults.error("password")} showRules />
        <button className="button" data-kind="primary" data-wide type="submit" aria-disabled={isBusy}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
      </Form>
      {provider && <ProviderForm provider={provider} redirectTo={redirectTo} />}
      <p className="account-foot">
        <Link to="/reset">Forgot your password?</Link>
        <Link to={`/signup?redirectTo=${encodeURIComponent(redirectTo)}`}>Make an account</Link>
      </p>
    </AccountPage>
  );
}
