import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle, listExtras } from "#app/domain/catalog/catalog.server.ts";
import { pageObject, streamingOnWire } from "#app/wire/jikan/anime/links-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "Where a title can be watched: this site, if it has a film, and legal offers of other sites",
  params: idParam,
  answer: z.object({ data: z.array(pageObject) }),
  async handle({ params, viewer, facts }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    if (!found.ok) return found;
    const { streams } = await listExtras(found.value.malId);
    return { data: streamingOnWire(found.value, streams, facts.origin) };
  },
});
export const action = loader;
