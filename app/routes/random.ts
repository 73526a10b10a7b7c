import { redirect } from "react-router";
import { findRandomTitle } from "#app/domain/catalog/catalog.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import { catalogQuery, parseBrowse } from "#app/ui/browse-query.ts";
import { titlePath } from "#app/ui/title.ts";
import type { Route } from "./+types/random";

/** Takes the filters of the browse page; where nothing passes them, that page says which one to drop. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { search, searchParams } = new URL(request.url);
  const { showsMature } = await viewerOf(request, context);
  const found = await findRandomTitle(catalogQuery(parseBrowse(searchParams)).filters, showsMature);
  const to = found === null ? `/browse${search}` : titlePath(found.mal_id, found.title);
  return redirect(to, { headers: { "Cache-Control": "no-store" } });
}
