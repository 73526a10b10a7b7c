import { useEffect, useRef } from "react";

/**
 * An uncontrolled field that takes a new value from the page without losing the focus. It takes the value at the start
 * too, which replaces what Firefox fills in on a reload, and also a choice made before the scripts had loaded.
 */
export function useSyncedField<Field extends { value: string }>(value: string | number) {
  const field = useRef<Field>(null);
  useEffect(() => {
    if (field.current) field.current.value = `${value}`;
  }, [value]);
  return { ref: field, defaultValue: value };
}
