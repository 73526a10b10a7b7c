import {
  dayParam,
  dayScheduleParams,
  requireScheduleDay,
  scheduleListing,
} from "#app/wire/jikan/anime-query.server.ts";
import { jikanMiddleware, listOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = listOperation({
  summary: "The television series that are on air on one weekday",
  params: { day: dayParam },
  query: dayScheduleParams,
  toListing: ({ query, params }) => scheduleListing({ ...query, filter: requireScheduleDay(params.day) }),
});
export const action = loader;
