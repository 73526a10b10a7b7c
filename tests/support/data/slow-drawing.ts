/** A drawing that exceeds its time limit, but passes the cost estimate, which does not know the size of the filled areas. */
export const slowDrawing = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1200" height="1200"><radialGradient id="g"><stop stop-color="red"/><stop offset="1"/></radialGradient><g id="a">${'<rect width="1200" height="1200" fill="url(#g)"/>'.repeat(10)}</g><g id="b">${'<use xlink:href="#a"/>'.repeat(10)}</g>${'<use xlink:href="#b"/>'.repeat(10)}<text>${text}</text></svg>`;
