import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiFilmViewer, childOf, filmsNeedSession } from "#app/access/viewer.server.ts";
import { listEpisodes } from "#app/domain/catalog/catalog.server.ts";
import { readReferencedUrls } from "#app/domain/playback/playback.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { episodesQuery, repeatedNames } from "#app/wire/catalog-query.server.ts";
import { episodeObject, episodeOnWire, pagingMetaObject } from "#app/wire/title-json.server.ts";

export const middleware = [limited("episodes")];

const list = operation("GET", {
  tag: "Catalog",
  summary: "A title's episodes, 100 on each page",
  query: episodesQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: z.array(episodeObject), meta: pagingMetaObject }),
  cache: publicListing,
  isPersonal: ({ parentalControl }) => !parentalControl || filmsNeedSession,
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const { viewer, member } = await apiFilmViewer(request, context, query.parentalControl);
    const episodePage = await listEpisodes(query.malId, query.page, viewer);
    if (!episodePage.ok) return episodePage;
    const { episodes, total, page, lastPage, perPage } = episodePage.value;
    const withUrls = await readReferencedUrls(episodes, await childOf(request, context, query.malId));
    const { origin } = context.get(clientContext);
    return {
      data: episodes.map((episode) => episodeOnWire(withUrls(episode), { origin, member })),
      meta: { total_items: total, current_page: page, last_page: lastPage, per_page: perPage },
    };
  },
});

export const loader = serve(list);
export const action = loader;
