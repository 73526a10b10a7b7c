import { cacheHeaders, publicElsewhereFor } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours } from "#app/platform/units.ts";
import type { Route } from "./+types/robots";

export const middleware = [unlimited("A few lines, the same for everybody")];

/** Forbids crawling unless the operator sets INDEXING: most installations are private. */
export function loader({ context }: Route.LoaderArgs) {
  const { origin } = context.get(clientContext);
  const rules = env.INDEXING
    ? [
        "Disallow: /api/",
        "Disallow: /v4/",
        "Disallow: /random",
        "Disallow: /search",
        "Disallow: /watch/",
        "",
        `Sitemap: ${origin}/sitemap.xml`,
      ]
    : ["Disallow: /"];
  return new Response(`${["User-agent: *", ...rules].join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", ...cacheHeaders(publicElsewhereFor(hours(1))) },
  });
}
