import { type KeyboardEvent, useEffect, useRef } from "react";
import { isFocusOnNothing } from "../shell/single-keys.ts";
import { saveArrowMode } from "./arrow-choice.ts";

/**
 * Offers the arrow keys on a large screen without a mouse. They change only after the viewer has chosen, because screen
 * readers read with them. Either answer is stored, so that the question comes once on each screen.
 */
export function ArrowOffer({ takesFocus }: { takesFocus: boolean }) {
  const offer = useRef<HTMLElement>(null);
  useEffect(() => {
    const focusIfUnused = () => {
      if (isFocusOnNothing()) offer.current?.querySelector("button")?.focus();
    };
    // The key that showed the offer came before this listener.
    if (takesFocus) focusIfUnused();
    // A remote control has no Tab key, so an arrow key moves the focus to the offer. The page scrolls all the same. A key
    // that the player has used stays with the player.
    const onKey = ({ key, defaultPrevented }: { key: string; defaultPrevented: boolean }): void => {
      if (key.startsWith("Arrow") && !defaultPrevented) focusIfUnused();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [takesFocus]);
  return (
    <section ref={offer} className="toast" aria-label="Arrow keys" onKeyDown={moveAside}>
      <p>Using a remote control? The arrow keys can go from link to link.</p>
      <button
        className="button"
        data-kind="primary"
        data-size="small"
        type="button"
        onClick={() => choose(true)}
      >
        Use arrow keys
      </button>
      <button className="button" data-size="small" type="button" onClick={() => choose(false)}>
        No, thanks
      </button>
    </section>
  );
}

function moveAside(event: KeyboardEvent<HTMLElement>) {
  const { key, currentTarget } = event;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return;
  event.preventDefault();
  [...currentTarget.querySelectorAll("button")].at(key === "ArrowLeft" ? 0 : -1)?.focus();
}

/** The focused button disappears. The next arrow key goes on below the heading. */
function choose(isOn: boolean) {
  saveArrowMode(isOn);
  const heading = document.querySelector<HTMLElement>("main h1, main");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}
