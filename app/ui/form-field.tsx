import { type ReactNode, useEffect, useId, useRef } from "react";
import { InfoIcon } from "./icons.tsx";
import { WarningIcon } from "./tool-icons.tsx";

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

export const describedBy = (id: string, hint?: ReactNode, error?: string) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;

export function FieldNotes({
  id,
  hint,
  error,
}: {
  id: string;
  hint?: ReactNode;
  error?: string | undefined;
}) {
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
