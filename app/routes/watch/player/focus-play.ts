import { isFocusOnNothing } from "#app/ui/shell/single-keys.ts";

/**
 * Gives the focus to a card that appears over the film, unless the viewer is elsewhere on the page, as somebody who types
 * in the search field.
 */
export function focusOverFilm(element: HTMLElement | null) {
  if (isFocusOnNothing() || document.activeElement?.closest(".player"))
    element?.focus({ preventScroll: true });
}

/** The handler of a button that disappears when it is pressed: focuses the play button, then acts. */
export const focusPlayThen = (act: () => void) => () => {
  document
    .querySelector<HTMLElement>(".player-buttons > button:not([data-only])")
    ?.focus({ preventScroll: true });
  act();
};
