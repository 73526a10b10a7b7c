import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { animeListObject, animeListOnWire } from "#app/wire/jikan/anime-list-json.server.ts";
import { filtersOfSearch, orderOfSearch, searchParams } from "#app/wire/jikan/anime-query.server.ts";
import { limitParam, pageParam } from "#app/wire/jikan/paging.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Lists",
  summary: "Titles, filtered, searched and sorted",
  query: { ...searchParams, page: pageParam, limit: limitParam },
  answer: animeListObject,
  async handle({ query, viewer, facts }) {
    const { page, limit: perPage } = query;
    const filters = filtersOfSearch(query);
    const found = await listTitles({ filters, ...orderOfSearch(query), page, perPage }, viewer);
    return animeListOnWire(found, facts);
  },
});
export const action = loader;
