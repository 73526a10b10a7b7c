/**
 * The page dispatches this event when the arrow-key setting was saved, by a script or by the answer to a form. It has
 * its own file, because the code that saves it is loaded late.
 */
export const arrowModeChanged = "arrow-mode";
