import { seasonListing, seasonParams } from "#app/wire/jikan/season-query.server.ts";
import { jikanMiddleware, listOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = listOperation({
  summary: "Titles that have not begun",
  query: {
    ...seasonParams,
    continuing: seasonParams.continuing.describe("Without effect here: no title of this list has begun"),
  },
  toListing: ({ query }) => seasonListing(query, { statuses: ["Not yet aired"] }),
});
export const action = loader;
