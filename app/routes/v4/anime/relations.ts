import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { relationObject, relationsOnWire } from "#app/wire/jikan/anime/links-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "The anime that a title is related to",
  params: idParam,
  answer: z.object({ data: z.array(relationObject) }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: relationsOnWire(found.value.relations, facts.origin) } : found;
  },
});
export const action = loader;
