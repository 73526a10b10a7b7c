import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { formAction, type PageMessage, SaveButton, SectionAnswer, SettingsSection } from "./sections.tsx";

type Props = { account: { email: string; hasPassword: boolean }; message: PageMessage | null };

/** The browser itself sends the form, so that the typed password does not stay in its field. */
export const EmailSection = ({ account: { email, hasPassword }, message }: Props) => (
  <SettingsSection id="email">
    <SectionAnswer about="email" message={message} />
    <form method="post" action={formAction("email")} className="stack">
      <p>
        Your address is <b className="settings-email">{email}</b>.
      </p>
      <TextField label="New e-mail address" name="email" type="email" autoComplete="email" maxLength={254} />
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
  </SettingsSection>
);
