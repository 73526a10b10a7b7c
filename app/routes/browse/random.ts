import { redirect } from "react-router";
import { limited } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { findRandomTitle } from "#app/domain/catalog/catalog.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { busyHeaders } from "#app/http/endpoint/error-response.server.ts";
import { refusedPage } from "#app/http/guards/page-limits.server.ts";
import { browsePath, titlePath } from "#app/paths.ts";
import { failedInOverload } from "#app/platform/limits/current-client.server.ts";
import { overloadTexts } from "#app/ui/shell/error-page.tsx";
import { parseBrowseQuery } from "#app/wire/browse-query.server.ts";
import type { Route } from "./+types/random";
import { catalogQuery, readTags } from "./browse-filters.server.ts";

export const middleware: Route.MiddlewareFunction[] = [
  limited("random", {
    errorShape: ({ status, headers }) => refusedPage(overloadTexts.tooMany, status, headers),
  }),
  async (_args, next) => {
    const response = await next();
    return failedInOverload(response) ? refusedPage(overloadTexts.busy, 503, busyHeaders) : response;
  },
];

/** Takes the filters of the browse page, and redirects to that page for suggestions if no title matches. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { search, searchParams } = new URL(request.url);
  const { viewer } = await getVisit(request, context);
  const { filters } = catalogQuery(parseBrowseQuery(searchParams), await readTags(viewer));
  const title = await findRandomTitle(filters, viewer);
  const to = title === null ? browsePath(search) : titlePath(title.malId, title.title);
  return redirect(to, { headers: cacheHeaders(noStore) });
}
