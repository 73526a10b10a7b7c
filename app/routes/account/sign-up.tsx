import { Form, Link, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { signUp, signUpMode } from "#app/domain/accounts/accounts.server.ts";
import { usernameLength } from "#app/domain/accounts/accounts.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { findUser } from "#app/http/guard.server.ts";
import { providerName } from "#app/http/provider.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { adoptVisitor, callerOf, signedInHeaders } from "#app/http/signed-in.server.ts";
import { AccountPage, ProviderForm } from "#app/ui/account-page.tsx";
import { faultsByField } from "#app/ui/form-faults.ts";
import { ErrorSummary, Notice } from "#app/ui/form-field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { PasswordField } from "#app/ui/password-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/sign-up";

export const middleware: Route.MiddlewareFunction[] = [limited("signup", { on: "writes" }), sameOriginPage];
export const headers = () => ({ "Cache-Control": "no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Make an account",
    description: "Lists, history and where you left off, kept for you.",
  });

/** What the endpoint sent a form back with. */
const errors = new Map([
  ["400", "Something in the form is missing or does not keep the rules."],
  ["403", "Sign-up needs the operator's consent here."],
  ["409", "This e-mail address is already in use."],
]);
const otherError = "Signing up did not work. Try again shortly.";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const redirectTo = redirectTarget(url.searchParams.get("redirectTo"), url.origin);
  if (await findUser(request, context)) throw redirect(nextStep(redirectTo));
  const error = url.searchParams.get("error");
  return {
    redirectTo,
    mode: signUpMode(),
    provider: providerName(),
    error: error === null ? undefined : (errors.get(error) ?? otherError),
  };
}

const nextStep = (redirectTo: string) =>
  `/signup/profile${redirectTo === "/" ? "" : `?redirectTo=${encodeURIComponent(redirectTo)}`}`;

const text = z.string().max(1024);
const account = z.object({
  username: text,
  email: text,
  password: text,
  code: text.optional(),
  redirectTo: z.string().optional(),
});

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(account, request);
  if (!form.ok) return formFaults(form);
  const { redirectTo, ...input } = form.value;
  const signedIn = await signUp(input, callerOf(request, context));
  if (!signedIn.ok) return formFaults(signedIn, { username: input.username, email: input.email });
  await adoptVisitor(signedIn.value, request);
  const headers = await signedInHeaders(signedIn.value.secret, request, context);
  throw redirect(nextStep(redirectTarget(redirectTo)), { headers });
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const { mode, provider, redirectTo, error } = loaderData;
  const faults = faultsByField(actionData);
  return (
    <AccountPage title="Make an account" lead="Step 1 of 3. The next two you can skip.">
      {mode === "closed" ? (
        <Notice>Sign-up is closed here. The operator of this site can make an account for you.</Notice>
      ) : (
        <>
          <ErrorSummary message={faults.message ?? error} answer={actionData} />
          <AccountForm faults={faults} redirectTo={redirectTo} needsCode={mode === "code"} />
          {provider && mode === "open" && <ProviderForm provider={provider} redirectTo={redirectTo} />}
        </>
      )}
      <p className="account-foot">
        <Link to={`/signin?redirectTo=${encodeURIComponent(redirectTo)}`}>I have an account</Link>
      </p>
    </AccountPage>
  );
}

type FormProps = { faults: ReturnType<typeof faultsByField>; redirectTo: string; needsCode: boolean };

function AccountForm({ faults, redirectTo, needsCode }: FormProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <Form method="post">
      <input type="hidden" name="redirectTo" value={redirectTo} />
      {needsCode && (
        <TextField
          label="Sign-up code"
          name="code"
          autoComplete="off"
          hint="From the operator of this site."
        />
      )}
      <TextField
        label="Name"
        name="username"
        autoComplete="nickname"
        hint={`At least ${usernameLength.min} characters. Others may see it.`}
        minLength={usernameLength.min}
        maxLength={usernameLength.max}
        defaultValue={faults.typed("username")}
        error={faults.error("username")}
      />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={faults.typed("email")}
        error={faults.error("email")}
      />
      <PasswordField autoComplete="new-password" error={faults.error("password")} showRules />
      <button className="button" data-kind="primary" data-wide type="submit" aria-disabled={isBusy}>
        {isBusy ? "Making your account…" : "Continue"}
      </button>
    </Form>
  );
}
