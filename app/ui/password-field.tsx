import { useEffect, useId, useState } from "react";
import { passwordRules } from "../domain/accounts/accounts.ts";
import { describedBy, FieldNotes } from "./form-field.tsx";
import { CheckIcon } from "./icons.tsx";
import { EyeIcon, EyeOffIcon } from "./tool-icons.tsx";

type PasswordProps = {
  label?: string;
  name?: string;
  autoComplete: "current-password" | "new-password";
  error?: string | undefined;
  /** The rules a password keeps, ticked off while one types. */
  showRules?: boolean;
};

/** The rules as a browser checks them by itself. */
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
          pattern={pattern}
          title="6 to 20 characters with a lowercase and an uppercase letter, a digit and one of ! @ # $ % ^ & *"
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

function useHydrated() {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}
