import { z } from "zod";
import { refuse } from "#app/domain/errors.ts";
import { getCast } from "#app/domain/people/people.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { animeStaffObject, animeStaffOnWire } from "#app/wire/jikan/people-json.server.ts";
import { jikanMiddleware, jikanOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Anime",
  summary: "The staff of a title",
  params: idParam,
  answer: z.object({ data: z.array(animeStaffObject) }),
  async handle({ params, viewer, facts }) {
    const cast = await getCast(requireNumber(params.id), viewer);
    if (!cast.ok) return cast;
    const data = animeStaffOnWire(cast.value, facts.origin);
    return data.length > 0 ? { data } : refuse("not_found", "The staff of this title is not in this catalog");
  },
});
export const action = loader;
