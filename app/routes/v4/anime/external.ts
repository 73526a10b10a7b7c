import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { externalOnWire, pageObject } from "#app/api/jikan/anime/links-json.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { idParam, jikanOperation, requireNumber } from "#app/api/jikan/jikan-operation.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "A title's pages on other sites",
  params: idParam,
  answer: z.object({ data: z.array(pageObject) }),
  async handle({ params, viewer }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: externalOnWire(found.value.externalIds) } : found;
  },
});
export const action = loader;
