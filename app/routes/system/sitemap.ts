import { notForChildren } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { listSeasons, listTitles } from "#app/domain/catalog/catalog.server.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { listShownPeople } from "#app/domain/people/people.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { cacheHeaders, noStore, publicElsewhereFor } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { browsePath, characterPath, personPath, schedulePath, seasonPath, titlePath } from "#app/paths.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours } from "#app/platform/units.ts";
import type { Route } from "./+types/sitemap";

/**
 * The sitemap protocol allows 50,000 URLs. The most popular titles come first, and only titles that every visitor may
 * see are listed.
 */
const maxUrls = 45_000;
const titlesPerQuery = 5000;

export const middleware = [limited("sitemap"), notForChildren];

export async function loader({ request, context }: Route.LoaderArgs) {
  if (!env.INDEXING) return new Response("Not found\n", { status: 404, headers: plain });
  const { origin } = context.get(clientContext);
  const { bytes } = await sitemaps(origin, async () => ({ bytes: sitemapOf(origin, await listPaths()) }));
  const headers = new Headers({ "Content-Type": "application/xml; charset=utf-8" });
  const policy = publicElsewhereFor(hours(1));
  // Every query gets the same answer, and the public cache would store a copy for each of them.
  applyCachePolicy(headers, { ...policy, isPublic: new URL(request.url).search === "" }, context);
  return new Response(bytes, { headers });
}

/** A client can send any host name, so only two origins are cached. With PUBLIC_URL there is only one. */
const maxOrigins = 2;
const sitemaps = cachePerVersion<{ bytes: Uint8Array<ArrayBuffer> }>(maxOrigins);

const maxNames = 2000;

const listPaths = async () => [
  "/",
  browsePath(),
  schedulePath(),
  ...(await listSeasons(anybody)).map(seasonPath),
  ...(await titlePaths()),
  ...(await namePaths()),
];

/** The best known people and characters. */
async function namePaths(): Promise<string[]> {
  const { people, characters } = await listShownPeople(anybody, maxNames);
  return [
    ...people.map(({ id, name }) => personPath(id, name)),
    ...characters.map(({ id, name }) => characterPath(id, name)),
  ];
}

function sitemapOf(origin: string, paths: readonly string[]) {
  const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`);
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("\n")}</urlset>\n`,
  );
}

const plain = { "Content-Type": "text/plain; charset=utf-8", ...cacheHeaders(noStore) };

async function titlePaths(): Promise<string[]> {
  const paths: string[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage && paths.length < maxUrls; page++) {
    const listing = await listTitles({ order: "popularity", page, perPage: titlesPerQuery }, anybody);
    lastPage = listing.lastPage;
    paths.push(...listing.titles.map(({ malId, title }) => titlePath(malId, title)));
  }
  return paths;
}
