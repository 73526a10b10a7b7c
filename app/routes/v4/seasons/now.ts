import { seasonAt } from "#app/domain/calendar/calendar.ts";
import { filtersOfSeason, seasonListing, seasonParams } from "#app/wire/jikan/season-query.server.ts";
import { jikanMiddleware, listOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = listOperation({
  summary: "The titles of this season",
  query: seasonParams,
  toListing: ({ query }) => seasonListing(query, filtersOfSeason(seasonAt(new Date()), query)),
});
export const action = loader;
