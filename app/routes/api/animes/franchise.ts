import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiViewer } from "#app/access/viewer.server.ts";
import { findFranchise } from "#app/domain/franchises/franchises.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { repeatedNames, titleQuery } from "#app/wire/catalog-query.server.ts";
import { franchiseObject, franchiseOnWire } from "#app/wire/franchise-json.server.ts";

export const middleware = [limited("anime")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "The franchise of a title, in the order of the story and of release",
  description:
    "`data` is null for a title without related titles. Every place is of the titles that you can see.",
  query: titleQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: franchiseObject.nullable() }),
  cache: publicListing,
  isPersonal: ({ parentalControl }) => !parentalControl,
  refuses: ["not_found", "forbidden"],
  async handle({ query, request, context }) {
    const found = await findFranchise(query.malId, await apiViewer(request, context, query.parentalControl));
    if (!found.ok) return found;
    const { origin } = context.get(clientContext);
    return { data: found.value && franchiseOnWire(found.value, origin) };
  },
});

export const loader = serve(get);
export const action = loader;
