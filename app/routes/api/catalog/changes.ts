import { z } from "zod";
import { notForChildren } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { isCatalogShared, mayFollowCatalog, shareCatalog } from "#app/domain/feeds/feeds.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { linesResponse } from "#app/http/endpoint/long-answers.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { bearerToken } from "#app/http/guards/bearer-token.ts";

export const middleware = [limited("changes"), notForChildren];

const get = operation("GET", {
  tag: "Catalog",
  summary: "The titles that changed, for other Engawas that follow this catalog",
  description:
    "NDJSON, if the operator shares the catalog (`CATALOG_SHARE`), also with a token of the operator in `Authorization: Bearer`. Each line `position` and the line `end` say with which `since` the next request goes on; an answer without `end` was cut off. Without `since`, or with one of another catalog, it begins with the oldest change. Leaves out texts and addresses of pictures whose source does not allow to give them away.",
  query: z.object({ since: z.string().max(200).default("") }),
  answer: { bytes: ["application/x-ndjson"] },
  refuses: ["not_found", "unauthorized"],
  async handle({ query: { since }, request, context }) {
    if (!isCatalogShared) throw fail("not_found", "This site does not share its catalog");
    if (!mayFollowCatalog(bearerToken(request)))
      throw fail("unauthorized", "This site shares its catalog with a token");
    return linesResponse(shareCatalog(since), { request, context });
  },
});

export const loader = serve(get);
export const action = loader;
