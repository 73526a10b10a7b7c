import { z } from "zod";
import {
  filtersOfSeason,
  requireSeason,
  seasonListing,
  seasonParams,
} from "#app/wire/jikan/season-query.server.ts";
import { jikanMiddleware, listOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = listOperation({
  summary: "The titles of a season",
  params: { year: z.int(), season: z.enum(["winter", "spring", "summer", "fall"]) },
  query: seasonParams,
  toListing: ({ query, params }) =>
    seasonListing(query, filtersOfSeason(requireSeason(params.year, params.season), query)),
});
export const action = loader;
