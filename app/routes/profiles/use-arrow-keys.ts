import { type RefObject, useEffect } from "react";

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Moves the focus among the buttons of a list with the arrow keys, for remote controls. The hook listens only while the
 * focus is in the list, on the heading or on nothing, so that the keys keep their meaning elsewhere.
 */
export function useArrowKeys(list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key];
      const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
      if (buttons.length === 0) return;
      const focused = document.activeElement;
      const isOutside = focused?.matches("a, button, input, select, textarea, summary") ?? false;
      const index = buttons.indexOf(focused as HTMLButtonElement);
      const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
      if (step === undefined || event.defaultPrevented || hasModifier || (index === -1 && isOutside)) return;
      event.preventDefault();
      const current = buttons.findIndex((button) => button.hasAttribute("aria-current"));
      const next = index === -1 ? Math.max(current, 0) : (index + step + buttons.length) % buttons.length;
      buttons[next]?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [list]);
}
