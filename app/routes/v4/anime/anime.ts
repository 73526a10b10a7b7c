import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { animeObject, animeOnWire } from "#app/wire/jikan/anime/anime-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "One title",
  params: idParam,
  answer: z.object({ data: animeObject }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: animeOnWire(found.value, facts) } : found;
  },
});
export const action = loader;
