import { z } from "zod";
import {
  animeDetails,
  detailsOnWire,
  getTitle,
  repeatedNames,
  titleQuery,
} from "#app/domain/catalog/catalog.server.ts";
import { publicListing, unlessPersonal } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { mayShowMatureTo } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";

export const middleware = [limited("anime")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "One title, with its relations",
  query: titleQuery,
  repeats: repeatedNames,
  answer: z.object({ data: animeDetails }),
  cache: unlessPersonal(publicListing),
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const found = await getTitle(query.malId, await mayShowMatureTo(request, context, query.parentalControl));
    return found.ok ? { data: detailsOnWire(found.value, context.get(clientContext).origin) } : found;
  },
});

export const loader = serve(get);
export const action = loader;
