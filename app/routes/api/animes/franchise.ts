import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiViewer } from "#app/access/viewer.server.ts";
import { done, refuse } from "#app/domain/errors.ts";
import { findFranchise, findFranchiseNumbered } from "#app/domain/franchises/franchises.server.ts";
import { cacheHeaders, noStore, publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { franchiseQuery, repeatedNames } from "#app/wire/catalog-query.server.ts";
import { franchiseObject, franchiseOnWire } from "#app/wire/franchise-json.server.ts";

export const middleware = [limited("anime")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "A franchise, in the order of the story and of release",
  description:
    "By its own number, or by one of its titles: `data` is then null for a title without related titles. Every place is of the titles that you can see. The number of a franchise that has become part of another redirects to that one.",
  query: franchiseQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: franchiseObject.nullable() }),
  cache: publicListing,
  isPersonal: ({ parentalControl }) => !parentalControl,
  refuses: ["not_found", "forbidden"],
  redirectsMoved: true,
  async handle({ query, request, context }) {
    const { number, malId, parentalControl } = query;
    const viewer = await apiViewer(request, context, parentalControl);
    const franchise =
      number === undefined
        ? await findFranchise(malId, viewer)
        : done(await findFranchiseNumbered(number, viewer));
    if (!franchise.ok) return franchise;
    if (number !== undefined) {
      if (franchise.value === null) return refuse("not_found", "No such franchise");
      if (franchise.value.id !== number) return movedTo(franchise.value.id, request);
    }
    const { origin } = context.get(clientContext);
    return { data: franchise.value && franchiseOnWire(franchise.value, origin) };
  },
});

function movedTo(number: number, request: Request): Response {
  const url = new URL(request.url);
  url.searchParams.set("number", String(number));
  const headers = { Location: url.pathname + url.search, ...cacheHeaders(noStore) };
  return new Response(null, { status: 301, headers });
}

export const loader = serve(get);
export const action = loader;
