import { useId } from "react";
import { pinLength } from "#app/domain/accounts/accounts.ts";
import { describedBy, FieldNotes } from "#app/ui/forms/form-field.tsx";

type Props = {
  label: string;
  hint?: string;
  error?: string | undefined;
  optional?: boolean;
  autoFocus?: boolean;
};

/** One ordinary field, so that a PIN can be pasted and screen readers read it. */
export function PinField({ label, hint, error, optional = false, autoFocus = false }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        name="pin"
        type="password"
        inputMode="numeric"
        pattern={`[0-9]{${pinLength.min},${pinLength.max}}`}
        title={`${pinLength.min} to ${pinLength.max} digits`}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the page has this one task, and a remote control has no pointer
        autoFocus={autoFocus}
        required={!optional}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
