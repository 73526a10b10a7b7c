import { type ReactNode, useEffect, useRef } from "react";
import { InfoIcon } from "../icons/icons.tsx";
import { WarningIcon } from "../icons/tool-icons.tsx";

/** Parts of forms. Everything works before and without JavaScript; with it, help comes while typing. */

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
