import { useEffect, useRef } from "react";
import { isChangedEarly } from "../forms/early-change.ts";

/**
 * An uncontrolled field that takes a new value from the page without losing the focus. It takes the value at the start
 * too, which replaces what Firefox fills in on a reload, and also a choice made before the scripts had loaded.
 *
 * `sendsEarly` sends the form with such a choice instead. The form then needs `autoComplete="off"`, or a reload would
 * send what the browser fills in.
 */
export function useSyncedField<Field extends HTMLInputElement | HTMLSelectElement>(
  value: string | number,
  sendsEarly = false,
) {
  const field = useRef<Field>(null);
  const isStart = useRef(true);
  useEffect(() => {
    if (field.current === null) return;
    if (isStart.current && sendsEarly && isChangedEarly(field.current)) field.current.form?.requestSubmit();
    else field.current.value = `${value}`;
    isStart.current = false;
  }, [value, sendsEarly]);
  return { ref: field, defaultValue: value };
}
