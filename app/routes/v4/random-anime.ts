import { z } from "zod";
import { findRandomTitle } from "#app/domain/catalog/catalog.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { noStore } from "#app/http/cache-policy.server.ts";
import { animeObject, animeOnWire } from "#app/wire/jikan/anime/anime-json.server.ts";
import { jikanMiddleware, jikanOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

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
