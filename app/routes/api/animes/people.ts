import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiViewer } from "#app/access/viewer.server.ts";
import { getCast } from "#app/domain/people/people.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { repeatedNames, titleQuery } from "#app/wire/catalog-query.server.ts";
import { castObject, castOnWire } from "#app/wire/people-json.server.ts";

export const middleware = [limited("anime")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "The characters of a title with their voices, and its staff",
  description: "404 also for a title of which no people are known.",
  query: titleQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: castObject }),
  cache: publicListing,
  isPersonal: ({ parentalControl }) => !parentalControl,
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const cast = await getCast(query.malId, await apiViewer(request, context, query.parentalControl));
    return cast.ok ? { data: castOnWire(cast.value, context.get(clientContext).origin) } : cast;
  },
});

export const loader = serve(get);
export const action = loader;
