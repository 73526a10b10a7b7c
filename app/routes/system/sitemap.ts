import { listSeasons, listTitles } from "#app/domain/catalog/catalog.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { env } from "#app/platform/env.server.ts";
import { seasonPath } from "#app/ui/season-path.ts";
import { titlePath } from "#app/ui/title.ts";
import type { Route } from "./+types/sitemap";

/** A sitemap may hold 50,000 addresses; the best known come first, and those for adults never. */
const most = 45_000;
const perQuery = 5000;

export async function loader({ context }: Route.LoaderArgs) {
  if (!env.INDEXING) return new Response("Not found\n", { status: 404, headers: plain });
  const { origin } = context.get(clientContext);
  const paths = [
    "/",
    "/browse",
    "/schedule",
    ...(await listSeasons(false)).map(seasonPath),
    ...(await titlePaths()),
  ];
  const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`);
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("\n")}</urlset>\n`,
    {
      headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
    },
  );
}

const plain = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };

async function titlePaths(): Promise<string[]> {
  const paths: string[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage && paths.length < most; page++) {
    const found = await listTitles({ order: "popularity", page, perPage: perQuery }, false);
    lastPage = found.lastPage;
    paths.push(...found.animes.map(({ mal_id, title }) => titlePath(mal_id, title)));
  }
  return paths;
}
