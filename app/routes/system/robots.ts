import { clientContext } from "#app/http/context.server.ts";
import { env } from "#app/platform/env.server.ts";
import type { Route } from "./+types/robots";

/** Closed until the operator says otherwise: most installations are for friends. */
export function loader({ context }: Route.LoaderArgs) {
  const { origin } = context.get(clientContext);
  const rules = env.INDEXING
    ? [
        "Disallow: /api/",
        "Disallow: /random",
        "Disallow: /search",
        "Disallow: /watch/",
        "",
        `Sitemap: ${origin}/sitemap.xml`,
      ]
    : ["Disallow: /"];
  return new Response(`${["User-agent: *", ...rules].join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
