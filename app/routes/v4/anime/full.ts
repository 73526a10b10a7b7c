import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { animeFullObject, animeFullOnWire } from "#app/api/jikan/anime/anime-full-json.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { idParam, jikanOperation, requireNumber } from "#app/api/jikan/jikan-operation.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "One title with its relations and its pages on other sites",
  params: idParam,
  answer: z.object({ data: animeFullObject }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: animeFullOnWire(found.value, facts) } : found;
  },
});
export const action = loader;
