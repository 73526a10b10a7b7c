import { z } from "zod";
import {
  episodeObject,
  episodeOnWire,
  episodesQuery,
  listEpisodes,
  pageMeta,
  repeatedNames,
} from "#app/domain/catalog/catalog.server.ts";
import { publicListing, unlessPersonal } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { mayShowMatureTo } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";

export const middleware = [limited("episodes")];

const list = operation("GET", {
  tag: "Catalog",
  summary: "A title's episodes, a hundred a page",
  query: episodesQuery,
  repeats: repeatedNames,
  answer: z.object({ data: z.array(episodeObject), meta: pageMeta }),
  cache: unlessPersonal(publicListing),
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const showMature = await mayShowMatureTo(request, context, query.parentalControl);
    const found = await listEpisodes(query.malId, query.page, showMature);
    if (!found.ok) return found;
    const { episodes, total, page, lastPage, perPage } = found.value;
    const { origin } = context.get(clientContext);
    return {
      data: episodes.map((episode) => episodeOnWire(episode, origin)),
      meta: { total_items: total, current_page: page, last_page: lastPage, per_page: perPage },
    };
  },
});

export const loader = serve(list);
export const action = loader;
