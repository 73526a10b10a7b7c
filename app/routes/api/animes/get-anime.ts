import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiViewer } from "#app/access/viewer.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { repeatedNames, titleQuery } from "#app/wire/catalog-query.server.ts";
import { titleDetailsObject, titleDetailsOnWire } from "#app/wire/title-json.server.ts";

export const middleware = [limited("anime")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "One title, with its relations",
  query: titleQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: titleDetailsObject }),
  cache: publicListing,
  isPersonal: ({ parentalControl }) => !parentalControl,
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const title = await getTitle(query.malId, await apiViewer(request, context, query.parentalControl));
    return title.ok ? { data: titleDetailsOnWire(title.value, context.get(clientContext).origin) } : title;
  },
});

export const loader = serve(get);
export const action = loader;
