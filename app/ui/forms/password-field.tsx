import { useId, useState } from "react";
import { passwordRules } from "#app/domain/accounts/accounts.ts";
import { CheckIcon, IconLine } from "../icons/icons.tsx";
import { describedBy, FieldNotes } from "./form-field.tsx";
import { useHydrated } from "./use-hydrated.ts";

type PasswordProps = {
  label?: string;
  name?: string;
  autoComplete: "current-password" | "new-password";
  error?: string | undefined;
  /** For a new password: shows the rules, ticks the fulfilled ones, and blocks a password that breaks one. */
  showRules?: boolean;
};

/** The rules for passwords, as browsers check them. */
const rulesText =
  "6 to 20 characters with a lowercase and an uppercase letter, a digit and one of ! @ # $ % ^ & *";
const pattern = "(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[!@#$%^&*]).{6,20}";

export function PasswordField({
  label = "Password",
  name = "password",
  autoComplete,
  error,
  showRules = false,
}: PasswordProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [isShown, setShown] = useState(false);
  const isHydrated = useHydrated();
  const rules = showRules && <PasswordRules typed={typed} />;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input-with-button">
        <input
          className="input"
          id={id}
          name={name}
          type={isShown ? "text" : "password"}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          required
          {...(showRules && { pattern, title: rulesText })}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, rules, error)}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {isHydrated && (
          <button
            className="icon-button"
            type="button"
            aria-pressed={isShown}
            aria-label={`Show ${label.toLowerCase()}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        )}
      </div>
      <FieldNotes id={id} hint={rules} error={error} />
    </div>
  );
}

function PasswordRules({ typed }: { typed: string }) {
  return (
    <ul className="password-rules">
      {passwordRules.map(({ id, label, holds }) => (
        <li key={id} data-holds={typed !== "" && holds(typed) ? "" : undefined}>
          <CheckIcon />
          {label}
          {typed !== "" && <span className="visually-hidden">{holds(typed) ? ", done" : ", missing"}</span>}
        </li>
      ))}
    </ul>
  );
}

const EyeIcon = () => (
  <IconLine d="M2.5 12c2-4 5.3-6.3 9.5-6.3s7.5 2.3 9.5 6.3c-2 4-5.3 6.3-9.5 6.3S4.5 16 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z" />
);
const EyeOffIcon = () => (
  <IconLine d="M4 4l16 16M9.9 6c.7-.2 1.4-.3 2.1-.3 4.2 0 7.5 2.3 9.5 6.3-.7 1.4-1.6 2.6-2.7 3.5M6.3 7.7A11 11 0 0 0 2.5 12c2 4 5.3 6.3 9.5 6.3 1.6 0 3-.3 4.3-.9M10 10a3 3 0 0 0 4.1 4.2" />
);
