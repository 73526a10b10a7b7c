import { z } from "zod";
import {
  animeObject,
  animeOnWire,
  listingQuery,
  listTitles,
  pageMeta,
  repeatedNames,
} from "#app/domain/catalog/catalog.server.ts";
import { publicListing, unlessPersonal } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { mayShowMatureTo } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";

export const middleware = [limited("listing")];

/** With a search query, each title says by which of its names it was found. */
const foundAnime = animeObject.extend({ matched: z.string().optional() });

const list = operation("GET", {
  tag: "Catalog",
  summary: "Titles, filtered, searched and in order",
  query: listingQuery,
  repeats: repeatedNames,
  answer: z.object({ data: z.array(foundAnime), meta: pageMeta }),
  cache: unlessPersonal(publicListing),
  nestedErrors: true,
  async handle({ query: { parentalControl, ...query }, request, context }) {
    const { origin } = context.get(clientContext);
    const found = await listTitles(query, await mayShowMatureTo(request, context, parentalControl));
    return {
      data: found.animes.map((anime) => {
        const matched = found.matched?.get(anime.mal_id);
        return { ...animeOnWire(anime, origin), ...(matched !== undefined && { matched }) };
      }),
      meta: {
        total_items: found.total,
        current_page: found.page,
        last_page: found.lastPage,
        per_page: found.perPage,
        ...(found.notice !== undefined && { notice: found.notice }),
      },
    };
  },
});

export const loader = serve(list);
export const action = loader;
