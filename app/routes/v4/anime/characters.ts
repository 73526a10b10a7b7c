import { z } from "zod";
import { refuse } from "#app/domain/errors.ts";
import { getCast } from "#app/domain/people/people.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { animeCharacterObject, animeCharactersOnWire } from "#app/wire/jikan/people-json.server.ts";
import { jikanMiddleware, jikanOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Anime",
  summary: "The characters of a title, with their voices",
  params: idParam,
  answer: z.object({ data: z.array(animeCharacterObject) }),
  async handle({ params, viewer, facts }) {
    const cast = await getCast(requireNumber(params.id), viewer);
    if (!cast.ok) return cast;
    const data = animeCharactersOnWire(cast.value, facts.origin);
    return data.length > 0
      ? { data }
      : refuse("not_found", "The characters of this title are not in this catalog");
  },
});
export const action = loader;
