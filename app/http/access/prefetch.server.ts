/**
 * Whether a browser loads the answer ahead of time, for a link that nobody may follow. Browsers mark pages that they
 * prefetch or prerender, and also the router's prefetch of `.data`, which is a `<link rel="prefetch">`.
 */
export const isPrefetch = ({ headers }: Request): boolean =>
  // Chromium and Firefox send the first, older Chromium and Safari the second, older Firefox the third.
  [headers.get("Sec-Purpose"), headers.get("Purpose"), headers.get("X-Moz")].some((purpose) =>
    /\b(?:prefetch|prerender|preview)\b/i.test(purpose ?? ""),
  );
