import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { passwordRules } from "../domain/accounts/accounts.ts";
import { CheckIcon, InfoIcon } from "./icons.tsx";
import { EyeIcon, EyeOffIcon, WarningIcon } from "./tool-icons.tsx";

/** Parts of forms. Everything works before and without JavaScript; with it, help comes while typing. */

type FieldProps = {
  label: string;
  name: string;
  autoComplete: string;
  type?: "text" | "email";
  hint?: string;
  defaultValue?: string | undefined;
  error?: string | undefined;
  optional?: boolean;
  minLength?: number;
  maxLength?: number;
};

export function TextField({
  label,
  name,
  hint,
  error,
  optional = false,
  type = "text",
  ...input
}: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional && <span className="quiet"> (optional)</span>}
      </label>
      <input
        {...input}
        className="input"
        id={id}
        name={name}
        type={type}
        required={!optional}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...(type === "email" && { inputMode: "email", autoCapitalize: "none", spellCheck: false })}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

const describedBy = (id: string, hint?: ReactNode, error?: string) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;

function FieldNotes({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  return (
    <>
      {hint && (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          <WarningIcon />
          {error}
        </p>
      )}
    </>
  );
}

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

/** Says first what is wrong, takes the focus so that it is heard, and leaves the details to the fields. */
export function ErrorSummary({ message, answer }: { message: string | undefined; answer: unknown }) {
  const summary = useRef<HTMLDivElement>(null);
  // A second refusal in the same words is another answer, and is to be heard again.
  useEffect(() => {
    if (answer !== undefined) summary.current?.focus();
  }, [answer]);
  if (message === undefined) return null;
  return (
    <div className="form-notice" data-kind="error" role="alert" tabIndex={-1} ref={summary}>
      <WarningIcon />
      <p>{message}</p>
    </div>
  );
}

export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="form-notice" role="status">
      <InfoIcon />
      <div>{children}</div>
    </div>
  );
}

function useHydrated() {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}
