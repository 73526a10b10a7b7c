import { z } from "zod";
import {
  episodeObject,
  episodeOnWire,
  episodeQuery,
  getEpisode,
  repeatedNames,
} from "#app/domain/catalog/catalog.server.ts";
import { publicListing, unlessPersonal } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { mayShowMatureTo } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";

export const middleware = [limited("episode")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "One episode, with where it can be watched",
  query: episodeQuery,
  repeats: repeatedNames,
  answer: z.object({ data: episodeObject }),
  cache: unlessPersonal(publicListing),
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const showMature = await mayShowMatureTo(request, context, query.parentalControl);
    const found = await getEpisode(query.malId, query.episode, showMature);
    return found.ok ? { data: episodeOnWire(found.value, context.get(clientContext).origin) } : found;
  },
});

export const loader = serve(get);
export const action = loader;
