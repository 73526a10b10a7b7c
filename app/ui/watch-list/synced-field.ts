import { useEffect, useRef } from "react";

/** An uncontrolled field that takes a new value from the page without losing the focus. */
export function useSyncedField<Field extends { value: string }>(value: string | number) {
  const field = useRef<Field>(null);
  useEffect(() => {
    if (field.current) field.current.value = `${value}`;
  }, [value]);
  return { ref: field, defaultValue: value };
}
