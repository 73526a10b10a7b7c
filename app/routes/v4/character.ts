import { z } from "zod";
import { getCharacter } from "#app/domain/people/people.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { characterObject, characterOnWire } from "#app/wire/jikan/people-json.server.ts";
import { jikanMiddleware, jikanOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Names",
  summary: "One character of the titles that you can see",
  params: idParam,
  answer: z.object({ data: characterObject }),
  async handle({ params, viewer, facts }) {
    const character = await getCharacter(requireNumber(params.id), { page: 1, perPage: 1 }, viewer);
    return character.ok ? { data: characterOnWire(character.value, facts.origin) } : character;
  },
});
export const action = loader;
