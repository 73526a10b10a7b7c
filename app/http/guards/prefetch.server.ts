/**
 * Whether a browser loads the answer ahead of time, for a link that nobody may follow. Browsers mark pages that they
 * prefetch or prerender, and also the router's prefetch of `.data`, which is a `<link rel="prefetch">`.
 */
export const isPrefetch = ({ headers }: Request): boolean => isPrefetchBy((name) => headers.get(name));

/** The same for the headers of Node. */
export const isPrefetchBy = (read: (name: string) => string | null | undefined): boolean =>
  // Chromium and Firefox send the first, older Chromium and Safari the second, older Firefox the third.
  [read("Sec-Purpose"), read("Purpose"), read("X-Moz")].some((purpose) =>
    /\b(?:prefetch|prerender|preview)\b/i.test(purpose ?? ""),
  );
