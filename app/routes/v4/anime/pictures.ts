import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { imagesObject, imagesOnWire } from "#app/wire/jikan/anime/pictures-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "A title's pictures: its poster",
  params: idParam,
  answer: z.object({ data: z.array(z.object({ images: imagesObject })) }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: [{ images: imagesOnWire(found.value.malId, facts.origin) }] } : found;
  },
});
export const action = loader;
