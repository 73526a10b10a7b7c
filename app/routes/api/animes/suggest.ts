import { z } from "zod";
import {
  posterOnWire,
  repeatedNames,
  suggestQuery,
  suggestTitles,
} from "#app/domain/catalog/catalog.server.ts";
import { publicListing, unlessPersonal } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { mayShowMatureTo } from "#app/http/guard.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";

export const middleware = [limited("suggest")];

const suggestion = z.object({
  mal_id: z.number().int(),
  title: z.string(),
  /** The name that was found, which need not be the title. */
  matched: z.string(),
  type: z.string().nullable(),
  year: z.number().int().nullable(),
  image: z.string(),
});

const suggest = operation("GET", {
  tag: "Catalog",
  summary: "At most eight titles for what has been typed so far",
  query: suggestQuery,
  repeats: repeatedNames,
  answer: z.object({ data: z.array(suggestion) }),
  cache: unlessPersonal(publicListing),
  async handle({ query, request, context }) {
    const showMature = await mayShowMatureTo(request, context, query.parentalControl);
    const { origin } = context.get(clientContext);
    const found = await suggestTitles(query.q, showMature);
    return {
      data: found.map(({ mal_id, title, matched, type, year, image }) => {
        return { mal_id, title, matched, type, year, image: posterOnWire(mal_id, image, origin) };
      }),
    };
  },
});

export const loader = serve(suggest);
export const action = loader;
