import { useEffect, useRef } from "react";
import { focusHeading } from "./focus-passed-on.ts";

/**
 * For a page that shows one step after another at the same address, where the shell sees no new page. A new step moves
 * the focus to its heading, so that a screen reader reads it, and a second Enter presses no button of it.
 */
export function useFocusOnNewStep(step: string) {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    focusHeading();
  }, [step]);
}
