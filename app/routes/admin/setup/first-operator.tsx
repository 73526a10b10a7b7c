import { useEffect, useState } from "react";
import { redirect, useNavigation } from "react-router";
import { z } from "zod";
import { signedInHeaders } from "#app/access/answer-sign-in.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { adminSetupPath } from "#app/admin-paths.ts";
import { createFirstOperator, hasOperator } from "#app/domain/setup/setup.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { NewAccountFields } from "#app/ui/forms/new-account-fields.tsx";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/first-operator";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("setup"), sameOriginPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Set up", description: "Make the account of the operator of this site." });

/** In local mode, a person at the machine itself needs no code. */
const isLocal = (context: Context) => context.get(clientContext).mayReachLoopback;

export async function loader({ context }: Route.LoaderArgs) {
  if (await hasOperator()) throw redirect(adminSetupPath());
  return { needsCode: !isLocal(context) };
}

const person = z.object({
  code: credentialInput.default(""),
  username: credentialInput,
  email: credentialInput,
  password: credentialInput,
});

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(person, request);
  if (!form.ok) return formErrorResponse(form);
  const { code, ...account } = form.value;
  const pass = { code, isLocal: isLocal(context) };
  const signedIn = await createFirstOperator(account, pass, clientDeviceOf(request, context));
  // Another request has created the first operator in the meantime.
  if (!signedIn.ok && signedIn.reason === "conflict" && (await hasOperator()))
    throw redirect(adminSetupPath());
  if (!signedIn.ok) return formErrorResponse(signedIn, { username: account.username, email: account.email });
  throw redirect(adminSetupPath(), { headers: await signedInHeaders(signedIn.value, request, context) });
}

export default function FirstOperator({ loaderData: { needsCode }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  const errors = errorsByField(actionData);
  const code = useCodeOfAddress();
  return (
    <div className="wrap page account-page">
      <div className="account-card">
        <h1>Set up this site</h1>
        <p className="lead">
          First make your account: the operator&rsquo;s. Then five short steps lead to your first video.
        </p>
        <ErrorSummary message={errors.message} answer={actionData} />
        <OnceForm>
          {needsCode && <CodeField code={code} error={errors.error("code")} />}
          <NewAccountFields
            formErrors={errors}
            emailHint="You sign in with it. Nothing is sent there unless you set up a mail server."
          />
          <button className="button" data-kind="primary" data-wide type="submit" aria-disabled={isBusy}>
            {isBusy ? "Making your account…" : "Continue"}
          </button>
        </OnceForm>
      </div>
    </div>
  );
}

const CodeField = ({ code, error }: { code: string; error: string | undefined }) => (
  <TextField
    key={code}
    label="Code"
    name="code"
    autoComplete="off"
    hint="The start of the site printed a link that ends with it. In a container, its log has the link: docker compose logs engawa"
    defaultValue={code}
    error={error}
  />
);

/**
 * Takes the code from the fragment of the address and removes it there, so that it stays out of the history and of
 * screenshots.
 */
function useCodeOfAddress() {
  const [code, setCode] = useState("");
  useEffect(() => {
    const hash = location.hash.slice(1);
    if (!/^[\w-]{43}$/.test(hash)) return;
    history.replaceState(history.state, "", location.pathname);
    setCode(hash);
  }, []);
  return code;
}
