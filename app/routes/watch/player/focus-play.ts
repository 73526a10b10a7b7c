/** The handler of a button that disappears when it is pressed: focuses the play button, then acts. */
export const focusPlayThen = (act: () => void) => () => {
  document
    .querySelector<HTMLElement>(".player-buttons > button:not([data-only])")
    ?.focus({ preventScroll: true });
  act();
};
