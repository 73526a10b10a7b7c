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
    const person = await getPerson(requireNumber(params.id), { page: 1, perPage: 1 }, viewer);
    return person.ok ? { data: personOnWire(person.value, facts.origin) } : person;
  },
});
export const action = loader;
