import { avifClaim, flatPng, svgClaim, webpClaim } from "#tests/support/data/misleading-images.ts";

/** Small files that would take gigabytes of memory when decoded, by their path at an upstream. */
export const imageBombs: Record<string, Buffer> = {
  "/tiny.webp": webpClaim(16_000, 16_000),
  "/tiny.avif": await avifClaim(7000, 7000),
  "/flat.png": flatPng(16_000, 16_000),
  "/vast.svg": svgClaim(100_000, 100_000),
  "/laughs.svg": Buffer.from(
    `<!DOCTYPE svg [<!ENTITY a0 "ha">${Array.from({ length: 12 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join("")}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&a12;</text></svg>`,
  ),
};
