import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { listSimilarTitles } from "#app/domain/discovery/discovery.server.ts";
import {
  recommendationObject,
  recommendationOnWire,
} from "#app/wire/jikan/anime/recommendations-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

const maxRecommended = 30;

export const loader = jikanOperation({
  tag: "Anime",
  summary: "Similar titles, the most similar first",
  params: idParam,
  answer: z.object({ data: z.array(recommendationObject) }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    if (!found.ok) return found;
    const similar = await listSimilarTitles(found.value.malId, maxRecommended, viewer);
    return { data: similar.map((one) => recommendationOnWire(one.title, found.value, facts.origin)) };
  },
});
export const action = loader;
