import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { formAction, SaveButton, Switch } from "./sections.tsx";

/** The browser itself sends this form, so that the typed passwords do not stay in the fields. */
export function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  return (
    <form method="post" action={formAction("password")} className="stack">
      {hasPassword ? (
        <PasswordField label="Current password" name="current" autoComplete="current-password" />
      ) : (
        <p className="quiet">
          You sign in through your provider. If you set a password, you can also sign in without the provider.
        </p>
      )}
      <PasswordField label="New password" autoComplete="new-password" showRules />
      <Switch name="endTokens" label="Also end my access tokens" isOn>
        Somebody who knew the old password may have made one. If you keep yours, your programs go on working.
      </Switch>
      <SaveButton label={hasPassword ? "Change password" : "Set password"} />
    </form>
  );
}
