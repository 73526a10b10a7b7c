import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle, listExtras } from "#app/domain/catalog/catalog.server.ts";
import { animeFullObject, animeFullOnWire } from "#app/wire/jikan/anime/anime-full-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "One title with its relations and its pages on other sites",
  params: idParam,
  answer: z.object({ data: animeFullObject }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    if (!found.ok) return found;
    const { streams } = await listExtras(found.value.malId);
    return { data: animeFullOnWire(found.value, facts, streams) };
  },
});
export const action = loader;
