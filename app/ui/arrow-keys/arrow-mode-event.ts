/** Says to the page that the arrow keys' choice was saved. In a file of its own, because what saves it is loaded late. */
export const arrowModeChanged = "arrow-mode";
