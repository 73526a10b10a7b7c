import { filtersOfSearch, orderOfSearch, searchParams } from "#app/wire/jikan/anime-query.server.ts";
import { jikanMiddleware, listOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = listOperation({
  summary: "Titles, filtered, searched and sorted",
  query: searchParams,
  toListing: ({ query }) => ({ filters: filtersOfSearch(query), ...orderOfSearch(query) }),
});
export const action = loader;
