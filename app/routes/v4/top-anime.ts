import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { animeListObject, animeListOnWire } from "#app/wire/jikan/anime-list-json.server.ts";
import { ratingParam, topFilterParam, topQuery, typeParam } from "#app/wire/jikan/anime-query.server.ts";
import { limitParam, pageParam } from "#app/wire/jikan/paging.server.ts";
import { jikanOperation } from "./jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Lists",
  summary: "The best titles",
  query: {
    type: typeParam,
    filter: topFilterParam,
    rating: ratingParam,
    page: pageParam,
    limit: limitParam,
  },
  answer: animeListObject,
  async handle({ query, viewer, facts }) {
    const { page, limit: perPage } = query;
    return animeListOnWire(await listTitles({ ...topQuery(query), page, perPage }, viewer), facts);
  },
});
export const action = loader;
