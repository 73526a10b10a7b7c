import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { seasonAt } from "#app/domain/calendar/calendar.ts";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { animeListObject, animeListOnWire } from "#app/wire/jikan/anime-list-json.server.ts";
import { filtersOfSeason, seasonListing, seasonParams } from "#app/wire/jikan/season-query.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Lists",
  summary: "The titles of this season",
  query: seasonParams,
  answer: animeListObject,
  async handle({ query, viewer, facts }) {
    const filters = filtersOfSeason(seasonAt(new Date()), query);
    return animeListOnWire(await listTitles(seasonListing(query, filters), viewer), facts);
  },
});
export const action = loader;
