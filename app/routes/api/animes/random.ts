import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { apiListViewer } from "#app/access/viewer.server.ts";
import { findRandomTitle } from "#app/domain/catalog/catalog.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";
import { filterQuery, repeatedNames } from "#app/wire/catalog-query.server.ts";
import { titleObject, titleOnWire } from "#app/wire/title-json.server.ts";

export const middleware = [limited("random")];

const get = operation("GET", {
  tag: "Catalog",
  summary: "A random title that matches the filters",
  query: filterQuery,
  repeats: repeatedNames,
  sharing: withAnyone,
  answer: z.object({ data: titleObject }),
  optionalSignIn: "session or token",
  refuses: ["not_found"],
  async handle({ query, request, context }) {
    const viewer = await apiListViewer(request, context, query);
    const title = await findRandomTitle(query.filters, viewer);
    if (!title) throw fail("not_found", "No title matches these filters");
    return { data: titleOnWire(title, context.get(clientContext).origin) };
  },
});

export const loader = serve(get);
export const action = loader;
