import { redirect } from "react-router";
import { getVisit } from "#app/api/access/viewer.server.ts";
import { findRandomTitle } from "#app/domain/catalog/catalog.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { browsePath, titlePath } from "#app/paths.ts";
import { parseBrowseQuery } from "#app/ui/browse-query.server.ts";
import type { Route } from "./+types/random";
import { catalogQuery, readTags } from "./browse-filters.server.ts";

/** Takes the filters of the browse page, and redirects to that page for suggestions if no title matches. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { search, searchParams } = new URL(request.url);
  const { viewer } = await getVisit(request, context);
  const { filters } = catalogQuery(parseBrowseQuery(searchParams), await readTags(viewer));
  const found = await findRandomTitle(filters, viewer);
  const to = found === null ? browsePath(search) : titlePath(found.malId, found.title);
  return redirect(to, { headers: cacheHeaders(noStore) });
}
