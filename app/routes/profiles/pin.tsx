import { Form, redirect } from "react-router";
import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import {
  getCurrentSession,
  getCurrentUser,
  grownUpPage,
  memberFormError,
} from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { hasPin, mayChangePin, removePin, savePin } from "#app/domain/household/household.server.ts";
import { hasPassword } from "#app/domain/sign-in/sign-in.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { pinPath, settingsPath } from "#app/paths.ts";
import { noticeIn } from "#app/routes/views/notice.server.ts";
import { errorsByField } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { LinkLine } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/pin";
import { PinField } from "./pin-field.tsx";

/** Sets the PIN of the session's profile. */
export const middleware: Route.MiddlewareFunction[] = [
  limitedWrites("password"),
  sameOriginPage,
  grownUpPage,
];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "PIN", description: "What opens your profile." });

const notices = { saved: "Your PIN is set.", removed: "Your profile has no PIN any more." };

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const [isSet, accountHasPassword] = await Promise.all([hasPin(user.id), hasPassword(user.accountId)]);
  return {
    isSet,
    accountHasPassword,
    notice: noticeIn(url, notices),
  };
}

const change = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    pin: z.string().trim().max(100),
    current: credentialInput.optional(),
  }),
  z.object({ intent: z.literal("remove"), current: credentialInput.optional() }),
]);

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const session = getCurrentSession(context);
  const actor = memberOf(context);
  const allowed = await mayChangePin(session, form.value.current, actor);
  if (!allowed.ok) return formErrorResponse(allowed);
  const changed =
    form.value.intent === "remove"
      ? await removePin(session, actor)
      : await savePin(session, form.value.pin, actor);
  if (!changed.ok) return memberFormError(changed, url);
  throw redirect(pinPath({ notice: form.value.intent === "remove" ? "removed" : "saved" }));
}

export default function Pin({ loaderData: page, actionData }: Route.ComponentProps) {
  const formErrors = errorsByField(actionData);
  const currentLabel = page.accountHasPassword
    ? "Your current PIN, or the password of the account"
    : "Your current PIN";
  const current = page.isSet && (
    <PasswordField
      label={currentLabel}
      name="current"
      autoComplete="current-password"
      error={formErrors.error("current")}
    />
  );
  return (
    <div className="wrap page settings">
      <h1>Your PIN</h1>
      <p className="lead">
        It is needed to switch from another profile to yours. If you forget it,{" "}
        {page.accountHasPassword
          ? "the password of the account opens your profile."
          : "sign in again to open your profile."}
      </p>
      <ErrorSummary message={formErrors.message} answer={actionData} />
      {page.notice !== null && !actionData && <Notice>{page.notice}</Notice>}
      <Form method="post" className="stack">
        <PinField label="New PIN" hint="4 to 8 digits" error={formErrors.error("pin")} />
        {current}
        <button className="button settings-save" data-kind="primary" type="submit" name="intent" value="save">
          {page.isSet ? "Change PIN" : "Set PIN"}
        </button>
      </Form>
      {page.isSet && (
        <details>
          <summary className="link">Remove the PIN</summary>
          <Form method="post" className="stack">
            <p>
              Switching from a child's profile to yours then needs{" "}
              {page.accountHasPassword ? "the password of the account." : "you to sign in again."}
            </p>
            {current}
            <button className="button" type="submit" name="intent" value="remove">
              Remove the PIN
            </button>
          </Form>
        </details>
      )}
      <LinkLine to={settingsPath()}>Settings</LinkLine>
    </div>
  );
}
