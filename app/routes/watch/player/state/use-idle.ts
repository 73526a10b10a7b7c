import { type RefObject, useEffect, useState } from "react";

const idleAfterMs = 2800;

/** Whether to hide the controls: no pointer or key for a while, and no control has the keyboard's focus. */
export function useIdle(frame: RefObject<HTMLElement | null>, mayHide: boolean): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element || !mayHide) return setIdle(false);
    let timer: ReturnType<typeof setTimeout>;
    const wake = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(rest, idleAfterMs);
    };
    const rest = () => {
      if (element.querySelector(":focus-visible")) return wake();
      setIdle(true);
    };
    const events = ["pointermove", "pointerdown", "focusin"] as const;
    for (const name of events) element.addEventListener(name, wake);
    // On the document, because the player also obeys keys when the focus is outside the frame.
    document.addEventListener("keydown", wake);
    wake();
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", wake);
      for (const name of events) element.removeEventListener(name, wake);
    };
  }, [frame, mayHide]);
  return isIdle;
}
