import { type ReactNode, useEffect, useRef } from "react";
import { InfoIcon } from "../icons/icons.tsx";
import { WarningIcon } from "../icons/tool-icons.tsx";

/** Parts of forms. They all work without scripts. */

export const describedBy = (id: string, hint?: ReactNode, error?: ReactNode) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;

export function FieldNotes({ id, hint, error }: { id: string; hint?: ReactNode; error?: ReactNode }) {
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

type SummaryProps = { message: string | undefined; answer: unknown; children?: ReactNode };

/** Shows the error above the form and takes the focus, so that screen readers read it. */
export function ErrorSummary({ message, answer, children }: SummaryProps) {
  const summary = useRef<HTMLDivElement>(null);
  // The effect depends on the answer, not on the message: a second refusal with the same message must be read again.
  useEffect(() => {
    if (answer !== undefined) summary.current?.focus();
  }, [answer]);
  if (message === undefined) return null;
  return (
    <div className="form-notice" data-kind="error" role="alert" tabIndex={-1} ref={summary}>
      <WarningIcon />
      <p>
        {message}
        {children}
      </p>
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
