import { data, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { addAfterSignIn, signedInHeaders, signUpPassOf } from "#app/access/answer-sign-in.server.ts";
import { findUser, notForChildrenPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { providerName } from "#app/access/provider/provider.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { visitorPreferencesOfRequest } from "#app/access/viewer.server.ts";
import { findInvitation, getSignUpMode, invitationUsedRefusal } from "#app/domain/joining/joining.server.ts";
import { getProfile, hasTastes } from "#app/domain/profile/profile.server.ts";
import { emailInUseRefusal, openAccount } from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { safeRedirectTarget } from "#app/http/forms/redirect-target.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { resetPath, signInPath, signUpProfilePath, signUpTastesPath, splitAddition } from "#app/paths.ts";
import { minutes } from "#app/platform/units.ts";
import { errorsByField, type FieldErrors } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { NewAccountFields } from "#app/ui/forms/new-account-fields.tsx";
import { OnceForm } from "#app/ui/forms/once-form.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/sign-up";
import { AccountPage, ProviderForm } from "./account-page.tsx";
import { InvitationForm } from "./invitation-form.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  limitedWrites("signup"),
  sameOriginPage,
  notForChildrenPage,
];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Make an account",
    description: "Keep a list and a history, and continue watching where you stopped.",
  });

/** Texts for `?error=`, which the sign-up endpoint sets when it refuses a plain form. */
const errorTexts = new Map([
  ["400", "A field is empty or does not follow the rules. Fill in the form again."],
  [
    "403",
    "Sign-up is closed, or the sign-up code or the invitation is wrong. Ask the operator of this site.",
  ],
  ["409", "This e-mail address is already in use."],
]);
const otherErrorText = "Signing up did not work. Try again shortly.";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const redirectTo = safeRedirectTarget(url.searchParams.get("redirectTo"), url.origin);
  const { path, malId } = splitAddition(redirectTo);
  const user = await findUser(request, context);
  if (user) throw redirect(await findNextStep(user.id, path));
  const error = url.searchParams.get("error");
  return {
    redirectTo,
    addsTitle: malId !== null,
    mode: await getSignUpMode(signUpPassOf(context).isLocal),
    site: new URL(context.get(clientContext).origin).host,
    provider: providerName(),
    error: error === null ? undefined : (errorTexts.get(error) ?? otherErrorText),
  };
}

/**
 * A member opens this page again by going back from the steps. Nothing stores that a step was skipped, so only a new
 * account is led to the first step without answers.
 */
async function findNextStep(userId: string, redirectTo: string) {
  const found = await getProfile(userId);
  if (!found.ok) return redirectTo;
  const profile = found.value;
  const isNew = Date.now() - profile.createdAt.getTime() < newAccountMs;
  if (!isNew || hasTastes(profile, profile.favoriteAnimes.length)) return redirectTo;
  const { lastName, birthday, gender, avatarUrl } = profile;
  const hasAnswered = [lastName, birthday, gender, avatarUrl].some((answer) => answer !== null);
  return hasAnswered ? signUpTastesPath({ redirectTo }) : signUpProfilePath({ redirectTo });
}

const newAccountMs = minutes(10);

const account = z.object({
  username: credentialInput,
  email: credentialInput,
  password: credentialInput,
  code: credentialInput.optional(),
  invitation: credentialInput.optional(),
  redirectTo: z.string().optional(),
});
/** The first step for an invited person. Its answer says who invites them. */
const shownInvitation = z.object({ intent: z.literal("invitation"), invitation: credentialInput });

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(z.union([shownInvitation, account]), request);
  if (!form.ok) return refused(formErrorResponse(form), null);
  if ("intent" in form.value) return showInvitation(form.value.invitation);
  const { redirectTo, username, email, password, ...given } = form.value;
  const visitor = visitorPreferencesOfRequest(request);
  const signedIn = await openAccount(
    { username, email, password },
    signUpPassOf(context, given),
    clientDeviceOf(request, context),
    visitor,
  );
  if (!signedIn.ok) {
    const errors = formErrorResponse(signedIn, { username, email, code: given.code ?? "" });
    return refused(errors, await findInvited(given.invitation), signedIn === emailInUseRefusal);
  }
  const headers = await signedInHeaders(signedIn.value, request, context);
  const target = await addAfterSignIn(signedIn.value, safeRedirectTarget(redirectTo));
  throw redirect(signUpProfilePath({ redirectTo: target }), { headers });
}

/** The invitation stays in a hidden field, so that the code need not be pasted again after a refusal. */
async function findInvited(typed: string | undefined) {
  if (!typed?.trim()) return null;
  const invitation = await findInvitation(typed);
  return invitation && { ...invitation, invitation: typed.trim() };
}

async function showInvitation(typed: string) {
  const invited = await findInvited(typed);
  if (invited) return { errors: undefined, invited, isEmailInUse: false };
  return refused(formErrorResponse(invitationUsedRefusal), null);
}

const refused = (
  { data: errors, init }: ReturnType<typeof formErrorResponse>,
  invited: Awaited<ReturnType<typeof findInvited>>,
  isEmailInUse = false,
) => data({ errors, invited, isEmailInUse }, init ?? {});

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const { mode, provider, redirectTo, addsTitle, error, site } = loaderData;
  const invited = actionData?.invited ?? null;
  const formErrors = errorsByField(actionData?.errors);
  const isOpen = mode === "open" || invited !== null;
  return (
    <AccountPage
      title="Make an account"
      lead={
        mode !== "closed" &&
        `Step 1 of 3. You can skip the other two.${addsTitle ? " The title is then on your list." : ""}`
      }
    >
      {mode === "closed" ? (
        <Notice>Sign-up is closed here. The operator of this site can make an account for you.</Notice>
      ) : (
        <>
          {invited && (
            <Notice>{`${invited.invitedBy ?? "The operator"} invites you to Engawa at ${site}.`}</Notice>
          )}
          <ErrorSummary message={formErrors.message ?? error} answer={actionData?.errors} />
          <InvitationForm isShown={mode === "invite" && !invited} error={formErrors.error("invitation")} />
          {(isOpen || mode === "code") && (
            <AccountForm
              formErrors={formErrors}
              isEmailInUse={actionData?.isEmailInUse ?? false}
              redirectTo={redirectTo}
              needsCode={!isOpen}
              invitation={invited?.invitation}
            />
          )}
          {provider && isOpen && (
            <ProviderForm provider={provider} redirectTo={redirectTo} invitation={invited?.invitation} />
          )}
        </>
      )}
      <p className="account-foot">
        <Link to={signInPath({ redirectTo })}>I have an account</Link>
      </p>
    </AccountPage>
  );
}

type FormProps = {
  formErrors: FieldErrors;
  isEmailInUse: boolean;
  redirectTo: string;
  needsCode: boolean;
  invitation: string | undefined;
};

function AccountForm({ formErrors, isEmailInUse, redirectTo, needsCode, invitation }: FormProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <OnceForm>
      <input type="hidden" name="redirectTo" value={redirectTo} />
      {invitation !== undefined && <input type="hidden" name="invitation" value={invitation} />}
      {needsCode && (
        <TextField
          label="Sign-up code"
          name="code"
          autoComplete="off"
          hint="The operator of this site gives it to you."
          formErrors={formErrors}
        />
      )}
      <NewAccountFields
        formErrors={formErrors}
        emailError={isEmailInUse ? <EmailInUse redirectTo={redirectTo} /> : undefined}
      />
      <button className="button" data-kind="primary" data-wide type="submit" aria-disabled={isBusy}>
        {isBusy ? "Making your account…" : "Continue"}
      </button>
    </OnceForm>
  );
}

/** The form's summary says that the address is in use, so this text says what to do. */
const EmailInUse = ({ redirectTo }: { redirectTo: string }) => (
  <span>
    If it is yours,{" "}
    <Link className="link" to={signInPath({ redirectTo })}>
      sign in
    </Link>{" "}
    or{" "}
    <Link className="link" to={resetPath()}>
      set a new password
    </Link>
    . Otherwise type another one.
  </span>
);
