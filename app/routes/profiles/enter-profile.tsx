import type { MouseEvent, ReactNode } from "react";
import { profilesPath, signInPath } from "#app/paths.ts";
import type { FieldErrors } from "#app/ui/forms/form-errors.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { PasswordField } from "#app/ui/forms/password-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { PinField } from "./pin-field.tsx";
import { type Face, ProfileFace } from "./profile-face.tsx";

type Props = {
  profile: { id: string; name: string; asks: "pin" | "password" | "sign-in"; hasPassword: boolean };
  face: Face | undefined;
  redirectTo: string;
  formErrors: FieldErrors;
  answer: unknown;
};

/** Asks for the PIN of a profile, or for the password of the account. */
export function EnterProfile({ profile, face, redirectTo, formErrors, answer }: Props) {
  const { id, name, asks, hasPassword } = profile;
  const passwordError = formErrors.error("password");
  const pinError = formErrors.error("pin");
  const password = (
    <EntryForm id={id} redirectTo={redirectTo}>
      <PasswordField label="Password of the account" autoComplete="current-password" error={passwordError} />
    </EntryForm>
  );
  return (
    <div className="wrap page account-page profiles-full">
      <div className="account-card">
        <div className="profiles-entered">
          {face && <ProfileFace face={face} />}
          <h1>{name}</h1>
        </div>
        {/* A wrong PIN leaves the focus to the field, whose description asks for it once more. */}
        <ErrorSummary message={formErrors.message} answer={pinError === undefined ? answer : undefined} />
        {asks === "pin" && (
          <EntryForm id={id} redirectTo={redirectTo}>
            <PinField label="PIN" error={pinError} autoFocus />
            <PinKeypad />
          </EntryForm>
        )}
        {asks === "password" && password}
        {asks === "pin" && hasPassword && (
          <details open={passwordError !== undefined}>
            <summary className="link">I do not know the PIN</summary>
            {password}
          </details>
        )}
        {!hasPassword && (
          <p className="quiet">
            {asks === "pin" ? "If you do not know the PIN, " : "To open this profile, "}
            <Link className="link" to={signInPath({ redirectTo, notice: "again" })}>
              sign in again
            </Link>
            .
          </p>
        )}
        <p className="account-foot">
          <Link to={profilesPath({ redirectTo })}>Who is watching?</Link>
        </p>
      </div>
    </div>
  );
}

type FormProps = { id: string; redirectTo: string; children: ReactNode };

/** A plain form loads a new document, so that no data of the previous profile stays in the open one. */
const EntryForm = ({ id, redirectTo, children }: FormProps) => (
  <form method="post" action={profilesPath({ redirectTo, enter: id })} className="stack">
    <input type="hidden" name="profile" value={id} />
    <input type="hidden" name="redirectTo" value={redirectTo} />
    {children}
    <button className="button" data-kind="primary" data-wide type="submit">
      Continue
    </button>
  </form>
);

const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"];

/** Large digits for a remote control or a thumb. They fill the field of the form, which also takes typed digits. */
const PinKeypad = () => (
  <div className="pin-keypad script-only">
    {keys.map((key) => (
      <button
        key={key}
        type="button"
        value={key}
        aria-label={key === "⌫" ? "Delete the last digit" : undefined}
        onClick={press}
      >
        {key}
      </button>
    ))}
  </div>
);

function press({ currentTarget: { form, value } }: MouseEvent<HTMLButtonElement>) {
  const field = form?.elements.namedItem("pin") as HTMLInputElement;
  field.value = value === "⌫" ? field.value.slice(0, -1) : field.value + value;
}
