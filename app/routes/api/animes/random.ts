import { z } from "zod";
import {
  animeObject,
  animeOnWire,
  filterQuery,
  findRandomTitle,
  repeatedNames,
} from "#app/domain/catalog/catalog.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/error-response.server.ts";
import { mayShowMatureTo } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";

export const middleware = [limited("random")];

const draw = operation("GET", {
  tag: "Catalog",
  summary: "A title at random, of those that pass the filters",
  query: filterQuery,
  repeats: repeatedNames,
  answer: z.object({ data: animeObject }),
  refuses: ["not_found"],
  async handle({ query, request, context }) {
    const showMature = await mayShowMatureTo(request, context, query.parentalControl);
    const anime = await findRandomTitle(query.filters, showMature);
    if (!anime) throw fail("not_found", "No title passes these filters");
    return { data: animeOnWire(anime, context.get(clientContext).origin) };
  },
});

export const loader = serve(draw);
export const action = loader;
