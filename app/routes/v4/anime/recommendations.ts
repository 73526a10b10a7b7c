import { z } from "zod";
import { listSimilarTitles } from "#app/domain/discovery/discovery.server.ts";
import {
  recommendationObject,
  recommendationOnWire,
} from "#app/wire/jikan/anime/recommendations-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

const maxRecommended = 30;

export const loader = titleOperation(
  "Similar titles, the most similar first",
  z.array(recommendationObject),
  async (title, { viewer, facts }) => {
    const similar = await listSimilarTitles(title.malId, maxRecommended, viewer);
    return similar.map((one) => recommendationOnWire(one.title, title, facts.origin));
  },
);
export const action = loader;
