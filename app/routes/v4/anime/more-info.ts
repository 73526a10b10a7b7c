import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

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
