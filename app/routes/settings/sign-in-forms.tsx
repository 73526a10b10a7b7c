import { Outlet, useOutletContext } from "react-router";
import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { FormRefusal } from "./form-refusal.tsx";
import {
  ClosedPart,
  formAction,
  type PageMessage,
  SaveButton,
  SectionAnswer,
  SettingsSection,
  Switch,
  useIsPosted,
} from "./sections.tsx";

type EmailAccount = { email: string; hasPassword: boolean };

export const EmailSection = ({
  account,
  message,
}: {
  account: EmailAccount;
  message: PageMessage | null;
}) => (
  <SettingsSection id="email">
    {useIsPosted("email") ? (
      <Outlet context={account} />
    ) : (
      <>
        <SectionAnswer about="email" message={message} />
        <EmailForm account={account} />
      </>
    )}
  </SettingsSection>
);

type RefusedProps = { actionData?: { message: string; typed: Record<string, string> } | undefined };

/** The answer with the form, because only the route of the form knows the typed address. */
export const RefusedEmail = ({ actionData }: RefusedProps) => (
  <>
    <FormRefusal actionData={actionData} />
    <EmailForm account={useOutletContext<EmailAccount>()} typed={actionData?.typed.email} />
  </>
);

type EmailFormProps = { account: EmailAccount; typed?: string | undefined };

/** The browser itself sends the form, so that the typed password does not stay in its field. */
const EmailForm = ({ account: { email, hasPassword }, typed }: EmailFormProps) => (
  <>
    <p>
      Your address is <b>{email}</b>.
    </p>
    <ClosedPart about="email" label="Change the address">
      <form method="post" action={formAction("email")} className="stack">
        <TextField
          label="New e-mail address"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={typed}
        />
        {hasPassword ? (
          <PasswordField label="Password of the account" name="current" autoComplete="current-password" />
        ) : (
          <p className="quiet">
            You sign in through your provider, also after the change. If you signed in more than ten minutes
            ago, sign in again first.
          </p>
        )}
        <SaveButton label="Change the address" />
      </form>
    </ClosedPart>
  </>
);

/** Sent by the browser itself, like the email form. */
export function PasswordForm({ hasPassword, isRefused }: { hasPassword: boolean; isRefused: boolean }) {
  return (
    <ClosedPart
      about="password"
      label={hasPassword ? "Change password" : "Set a password"}
      isOpen={isRefused}
    >
      <form method="post" action={formAction("password")} className="stack">
        {hasPassword ? (
          <PasswordField label="Current password" name="current" autoComplete="current-password" />
        ) : (
          <p className="quiet">
            You sign in through your provider. If you set a password, you can also sign in without the
            provider.
          </p>
        )}
        <PasswordField label="New password" autoComplete="new-password" showRules />
        <Switch name="endTokens" label="Also end my access tokens" isOn>
          Somebody who knew the old password may have made one. If you keep yours, your programs go on
          working.
        </Switch>
        <SaveButton label={hasPassword ? "Change password" : "Set password"} />
      </form>
    </ClosedPart>
  );
}
