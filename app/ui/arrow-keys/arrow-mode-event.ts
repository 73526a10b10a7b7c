/**
 * The page dispatches this event when the arrow-key setting was saved. It has its own file, because the code that saves
 * it is loaded late.
 */
export const arrowModeChanged = "arrow-mode";
