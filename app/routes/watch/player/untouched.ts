import { useEffect } from "react";

/** Counts the episodes that began by themselves, so that the player does not play all night to an empty room. */

/** An evening is five episodes in a row, one of which the viewer began. */
const maxUntouched = 4;
const maxUntouchedOfChild = 3;
let begunAlone = 0;

export function countBegunAlone() {
  begunAlone++;
}

export const asksBeforeNext = (isChild: boolean) =>
  begunAlone >= (isChild ? maxUntouchedOfChild : maxUntouched);

const forget = () => {
  begunAlone = 0;
};

/** A key or a touch anywhere on the page shows that a viewer is there. */
export function useTouches() {
  useEffect(() => {
    const signs = ["pointerdown", "keydown"] as const;
    for (const sign of signs) addEventListener(sign, forget, true);
    return () => {
      for (const sign of signs) removeEventListener(sign, forget, true);
    };
  }, []);
}
