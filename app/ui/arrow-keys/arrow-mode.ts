import { useEffect } from "react";
import { arrowModeChanged } from "./arrow-mode-event.ts";

/**
 * Whether the arrow keys move the focus over the page on this screen, as a remote control needs it. The viewer chooses
 * it; it is never guessed, because without it these keys scroll and read the page. A cookie stores it, so that a form
 * can set it without scripts.
 */

export const isArrowModeOn = (): boolean => /(^|; )screen=arrows(;|$)/.test(document.cookie);

/** Keys that only remote controls have. */
const remoteKey = /^(?:ColorF[0-5]|Channel(?:Up|Down)|GoBack|TV\w*)$/;

export function useArrowMode() {
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isWanted = false;
    async function follow() {
      isWanted = isArrowModeOn();
      document.documentElement.toggleAttribute("data-arrows", isWanted);
      if (!isWanted) {
        stop?.();
        stop = null;
        return;
      }
      const moves = await import("./arrow-moves.ts");
      if (isWanted) stop ??= moves.moveByArrowKeys();
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (remoteKey.test(key) && !isArrowModeOn())
        void import("./arrow-choice.ts").then((choice) => choice.saveArrowMode(true));
    };
    const onChange = () => void follow().catch(() => {});
    onChange();
    document.addEventListener(arrowModeChanged, onChange);
    document.addEventListener("keydown", onKey);
    return () => {
      isWanted = false;
      stop?.();
      document.removeEventListener(arrowModeChanged, onChange);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
}
