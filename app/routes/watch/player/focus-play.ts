/** Focuses the play button, when the pressed button is about to disappear. */
export const focusPlay = () =>
  document
    .querySelector<HTMLElement>(".player-buttons > button:not([data-only])")
    ?.focus({ preventScroll: true });
