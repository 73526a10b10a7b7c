import { cacheHeaders, noStore } from "../cache-policy.server.ts";
import type { RefusalText } from "./page-refusal.ts";

type Options = {
  /** Adds a link that loads the same address again. */
  offersRetry?: boolean;
};

/** A page for cases in which the router cannot or should not render one. `text` is our own. */
export const messagePage = (
  { title, text }: RefusalText,
  status: number,
  { offersRetry = false }: Options = {},
) =>
  new Response(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p>${offersRetry ? '<p><a href="">Try again</a></p>' : ""}</body></html>
`,
    { status, headers: { "Content-Type": "text/html; charset=utf-8", ...cacheHeaders(noStore) } },
  );
