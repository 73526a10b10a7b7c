import { z } from "zod";
import { getPerson } from "#app/domain/people/people.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { personObject, personOnWire } from "#app/wire/jikan/people-json.server.ts";
import { jikanMiddleware, jikanOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Names",
  summary: "One person of the titles that you can see",
  params: idParam,
  answer: z.object({ data: personObject }),
  async handle({ params, viewer, facts }) {
    const found = await getPerson(requireNumber(params.id), { page: 1, perPage: 1 }, viewer);
    return found.ok ? { data: personOnWire(found.value, facts.origin) } : found;
  },
});
export const action = loader;
