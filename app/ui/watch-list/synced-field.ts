import { useEffect, useRef } from "react";
import { isChangedEarly } from "../forms/early-change.ts";

/**
 * The fate of a change that somebody made before the scripts had loaded. To keep or send it, the field or its form needs
 * `autoComplete="off"`: on a reload, Firefox would otherwise fill in an older value, which looks like such a change.
 */
type EarlyChange = "discard" | "keep" | "send";

/**
 * An uncontrolled field that takes a new value from the page without losing the focus. It takes the value at the start
 * too, unless an early change is kept or sent. Text that somebody has typed since the form was sent stays when the
 * answer comes. Each new `resetBy`, such as a refusal, makes the field show the page's value again.
 */
export function useSyncedField<Field extends HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
  value: string | number,
  early: EarlyChange = "discard",
  resetBy?: unknown,
) {
  const field = useRef<Field>(null);
  const isStart = useRef(true);
  const sent = useRef<string>(undefined);
  // After each render, because the form of a field can change.
  useEffect(() => {
    const form = field.current?.form;
    const onSubmit = () => {
      const text = field.current?.value;
      // No new value comes after a submission of the one that the page shows.
      sent.current = text === `${value}` ? undefined : text;
    };
    form?.addEventListener("submit", onSubmit);
    return () => form?.removeEventListener("submit", onSubmit);
  });
  const show = (shown: Field) => {
    const isTypedSince = sent.current !== undefined && shown.value !== sent.current;
    sent.current = undefined;
    if (!isTypedSince) shown.value = `${value}`;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new value
  useEffect(() => {
    if (field.current === null) return;
    const isEarly = isStart.current && early !== "discard" && isChangedEarly(field.current);
    isStart.current = false;
    if (!isEarly) show(field.current);
    else if (early === "send") field.current.form?.requestSubmit();
  }, [value, early]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new reason
  useEffect(() => {
    if (resetBy && field.current) show(field.current);
  }, [resetBy]);
  return { ref: field, defaultValue: value };
}
