import { redirect } from "react-router";
import { limited } from "#app/api/access/limits.server.ts";
import { getVisit } from "#app/api/access/viewer.server.ts";
import { findRandomTitle } from "#app/domain/catalog/catalog.server.ts";
import { refusedPage } from "#app/http/access/page-limits.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { browsePath, titlePath } from "#app/paths.ts";
import { parseBrowseQuery } from "#app/ui/browse-query.server.ts";
import { overloadTexts } from "#app/ui/shell/error-page.tsx";
import type { Route } from "./+types/random";
import { catalogQuery, readTags } from "./browse-filters.server.ts";

export const middleware = [
  limited("random", {
    errorShape: ({ status, headers }) => refusedPage(overloadTexts.tooMany, status, headers),
  }),
];

/** Takes the filters of the browse page, and redirects to that page for suggestions if no title matches. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { search, searchParams } = new URL(request.url);
  const { viewer } = await getVisit(request, context);
  const { filters } = catalogQuery(parseBrowseQuery(searchParams), await readTags(viewer));
  const found = await findRandomTitle(filters, viewer);
  const to = found === null ? browsePath(search) : titlePath(found.malId, found.title);
  return redirect(to, { headers: cacheHeaders(noStore) });
}
