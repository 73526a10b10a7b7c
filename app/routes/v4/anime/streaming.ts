import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { pageObject, streamingOnWire } from "#app/wire/jikan/anime/links-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "Where a title can be watched: this site, if it has a film",
  params: idParam,
  answer: z.object({ data: z.array(pageObject) }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: streamingOnWire(found.value, facts.origin) } : found;
  },
});
export const action = loader;
