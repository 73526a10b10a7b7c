import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { animeObject, animeOnWire } from "#app/api/jikan/anime/anime-json.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { jikanOperation } from "#app/api/jikan/jikan-operation.server.ts";
import { findRandomTitle } from "#app/domain/catalog/catalog.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { noStore } from "#app/http/cache-policy.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Lists",
  summary: "A random title",
  answer: z.object({ data: animeObject }),
  cache: noStore,
  async handle({ viewer, facts }) {
    const title = await findRandomTitle({}, viewer);
    return title ? { data: animeOnWire(title, facts) } : refuse("not_found", "This catalog has no titles");
  },
});
export const action = loader;
