import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { externalOnWire, pageObject } from "#app/wire/jikan/anime/links-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

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
