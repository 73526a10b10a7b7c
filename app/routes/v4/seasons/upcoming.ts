import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { animeListObject, animeListOnWire } from "#app/wire/jikan/anime-list-json.server.ts";
import { seasonListing, seasonParams } from "#app/wire/jikan/season-query.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Lists",
  summary: "Titles that have not begun",
  query: {
    ...seasonParams,
    continuing: seasonParams.continuing.describe("Without effect here: no title of this list has begun"),
  },
  answer: animeListObject,
  async handle({ query, viewer, facts }) {
    const filters = { statuses: ["Not yet aired" as const] };
    return animeListOnWire(await listTitles(seasonListing(query, filters), viewer), facts);
  },
});
export const action = loader;
