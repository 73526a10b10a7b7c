import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { idParam, jikanOperation, requireNumber } from "#app/api/jikan/jikan-operation.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "Always null: catalogs have no such notes",
  params: idParam,
  answer: z.object({ data: z.object({ moreinfo: z.string().nullable() }) }),
  async handle({ params, viewer }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: { moreinfo: null } } : found;
  },
});
export const action = loader;
