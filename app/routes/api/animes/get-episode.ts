import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiFilmViewer, childOf, filmsNeedSession } from "#app/access/viewer.server.ts";
import { getEpisode } from "#app/domain/catalog/catalog.server.ts";
import { readReferencedUrls } from "#app/domain/playback/playback.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { episodeQuery, repeatedNames } from "#app/wire/catalog-query.server.ts";
import { episodeObject, episodeOnWire } from "#app/wire/title-json.server.ts";

export const middleware = [limited("episode")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "One episode, with its sources",
  query: episodeQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: episodeObject }),
  cache: publicListing,
  isPersonal: ({ parentalControl }) => !parentalControl || filmsNeedSession,
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const { viewer, member } = await apiFilmViewer(request, context, query.parentalControl);
    const episode = await getEpisode(query.malId, query.episode, viewer);
    if (!episode.ok) return episode;
    const withUrls = await readReferencedUrls([episode.value], await childOf(request, context, query.malId));
    const { origin } = context.get(clientContext);
    return { data: episodeOnWire(withUrls(episode.value), { origin, member }) };
  },
});

export const loader = serve(get);
export const action = loader;
