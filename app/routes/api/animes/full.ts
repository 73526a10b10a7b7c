import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { listingError } from "#app/access/listing-error.server.ts";
import { apiListViewer, filmsNeedSession } from "#app/access/viewer.server.ts";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { listingQuery, repeatedNames } from "#app/wire/catalog-query.server.ts";
import { pagingMetaObject, titleObject, titleOnWire } from "#app/wire/title-json.server.ts";

export const middleware = [limited("listing")];

/** With a search query, `matched` is the name of the title that the query found. */
const foundTitle = titleObject.extend({ matched: z.string().optional() }).meta({ id: "FoundTitle" });

const list = operation("GET", {
  tag: "Catalog",
  summary: "Titles, filtered, searched and sorted",
  query: listingQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: z.array(foundTitle), meta: pagingMetaObject }),
  cache: publicListing,
  isPersonal: ({ parentalControl, filters }) =>
    !parentalControl || (filters?.playable === true && filmsNeedSession),
  errorShape: listingError,
  async handle({ query, request, context }) {
    const { origin } = context.get(clientContext);
    const listing = await listTitles(query, await apiListViewer(request, context, query));
    return {
      data: listing.titles.map((title) => {
        const matched = listing.matched?.get(title.malId);
        return { ...titleOnWire(title, origin), ...(matched !== undefined && { matched }) };
      }),
      meta: {
        total_items: listing.total,
        current_page: listing.page,
        last_page: listing.lastPage,
        per_page: listing.perPage,
        ...(listing.notice !== undefined && { notice: listing.notice }),
      },
    };
  },
});

export const loader = serve(list);
export const action = loader;
