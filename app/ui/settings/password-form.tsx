import { PasswordField } from "../password-field.tsx";

/** Posts to the endpoint itself, which sends plain forms back here with what came of it. */
export function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  return (
    <form method="post" action="/api/auth/password" className="stack">
      {hasPassword ? (
        <PasswordField label="Current password" name="current" autoComplete="current-password" />
      ) : (
        <p className="quiet">
          You sign in through your provider. With a password you can sign in without it.
        </p>
      )}
      <PasswordField label="New password" autoComplete="new-password" showRules />
      <button className="button settings-save" type="submit">
        {hasPassword ? "Change password" : "Set password"}
      </button>
    </form>
  );
}
