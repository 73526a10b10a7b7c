import { useEffect, useState } from "react";
import { arrowModeChanged } from "./arrow-mode-event.ts";

/**
 * Whether the arrow keys move the focus over the page on this screen, as a remote control needs it. The viewer chooses
 * it; it is never guessed, because without it these keys scroll and read the page. A cookie stores it, so that a form
 * can set it without scripts.
 */

export const isArrowModeOn = (): boolean => /(^|; )screen=arrows(;|$)/.test(document.cookie);

const hasChosen = (): boolean => /(^|; )screen=/.test(document.cookie);

/** A screen as large as a television's, without a mouse. With a touch screen, the first arrow key shows the offer. */
const largeScreen = "(min-width: 960px) and (any-hover: none)";
const remoteScreen = `${largeScreen} and (any-pointer: none)`;

/** Keys that only remote controls have. */
const remoteKey = /^(?:ColorF[0-5]|Channel(?:Up|Down)|GoBack|TV\w*)$/;

/**
 * Moves the focus if the viewer has chosen it. Returns whether the page should offer it, and whether the offer answers an
 * arrow key and takes the focus.
 */
export function useArrowMode(): "offered" | "asked" | null {
  const [offer, setOffer] = useState<"offered" | "asked" | null>(null);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isWanted = false;
    async function follow() {
      isWanted = isArrowModeOn();
      setOffer(!hasChosen() && matchMedia(remoteScreen).matches ? "offered" : null);
      const moves = isWanted ? await import("./arrow-moves.ts") : null;
      // The choice may have changed while the script was loading.
      stop?.();
      stop = isWanted && moves ? moves.moveByArrowKeys() : null;
      document.documentElement.toggleAttribute("data-arrows", stop !== null);
    }
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      // A key that the player has used stays with the player.
      if (key.startsWith("Arrow") && !hasChosen() && matchMedia(largeScreen).matches)
        setOffer((before) => (defaultPrevented ? (before ?? "offered") : "asked"));
      if (remoteKey.test(key) && !isArrowModeOn())
        void import("./arrow-choice.ts").then((choice) => choice.saveArrowMode(true));
    };
    const onChange = () => void follow().catch(() => {});
    onChange();
    document.addEventListener(arrowModeChanged, onChange);
    // On the window, after the player's listener.
    addEventListener("keydown", onKey);
    return () => {
      isWanted = false;
      stop?.();
      document.removeEventListener(arrowModeChanged, onChange);
      removeEventListener("keydown", onKey);
    };
  }, []);
  return offer;
}
