import { scheduleListing, scheduleParams } from "#app/wire/jikan/anime-query.server.ts";
import { jikanMiddleware, listOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = listOperation({
  summary: "The television series that are on air, by weekday",
  query: scheduleParams,
  toListing: ({ query }) => scheduleListing(query),
});
export const action = loader;
