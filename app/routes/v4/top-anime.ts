import { ratingParam, topFilterParam, topQuery, typeParam } from "#app/wire/jikan/anime-query.server.ts";
import { jikanMiddleware, listOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = listOperation({
  summary: "The best titles",
  query: { type: typeParam, filter: topFilterParam, rating: ratingParam },
  toListing: ({ query }) => topQuery(query),
});
export const action = loader;
