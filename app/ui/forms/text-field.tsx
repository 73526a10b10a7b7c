import { type ReactNode, useId } from "react";
import type { FieldErrors } from "./form-errors.ts";
import { describedBy, FieldNotes } from "./form-field.tsx";

type FieldProps = {
  label: string;
  name: string;
  autoComplete: string;
  type?: "text" | "email";
  hint?: string;
  defaultValue?: string | undefined;
  /** The refused form: the field shows what was typed in it, and its error unless there is another `error`. */
  formErrors?: FieldErrors;
  error?: ReactNode;
  optional?: boolean;
  minLength?: number;
  maxLength?: number;
};

export function TextField({
  label,
  name,
  hint,
  defaultValue,
  formErrors,
  error = formErrors?.error(name),
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
        defaultValue={formErrors?.typed(name) ?? defaultValue}
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
