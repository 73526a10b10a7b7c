import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiViewer } from "#app/access/viewer.server.ts";
import { suggestTitles } from "#app/domain/catalog/catalog.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { repeatedNames, suggestQuery } from "#app/wire/catalog-query.server.ts";
import { posterUrlOnWire } from "#app/wire/title-json.server.ts";

export const middleware = [limited("suggest")];

const suggestion = z
  .object({
    mal_id: z.number().int(),
    title: z.string(),
    /** The name that the search found: the title or another of its names. */
    matched: z.string(),
    type: z.string().nullable(),
    year: z.number().int().nullable(),
    image: z.string(),
  })
  .meta({ id: "Suggestion" });

const suggest = operation("GET", {
  tag: "Catalog",
  summary: "At most eight titles that match an unfinished search",
  query: suggestQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: z.array(suggestion) }),
  cache: publicListing,
  isPersonal: ({ parentalControl }) => !parentalControl,
  async handle({ query, request, context }) {
    const viewer = await apiViewer(request, context, query.parentalControl);
    const { origin } = context.get(clientContext);
    const { suggestions } = await suggestTitles(query.q, viewer);
    return {
      data: suggestions.map(({ title: { malId, title, type, year, imageWebp }, matched }) => ({
        mal_id: malId,
        title,
        matched,
        type,
        year,
        image: posterUrlOnWire(malId, imageWebp, origin),
      })),
    };
  },
});

export const loader = serve(suggest);
export const action = loader;
