/**
 * Whether the browser prefetches or prerenders the answer for a link that may never be followed. Browsers mark such
 * requests, including the router's prefetch of `.data` through `<link rel="prefetch">`.
 */
export const isPrefetch = ({ headers }: Request): boolean => isPrefetchBy((name) => headers.get(name));

/** The same for Node's headers. */
export const isPrefetchBy = (read: (name: string) => string | null | undefined): boolean =>
  // Chromium and Firefox send Sec-Purpose, older Chromium and Safari send Purpose, older Firefox sends X-Moz.
  [read("Sec-Purpose"), read("Purpose"), read("X-Moz")].some((purpose) =>
    /\b(?:prefetch|prerender|preview)\b/i.test(purpose ?? ""),
  );
