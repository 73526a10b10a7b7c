import { z } from "zod";
import { findCompany } from "#app/domain/catalog/catalog.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { producerObject, producerOnWire } from "#app/wire/jikan/names-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanMiddleware, jikanOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Names",
  summary: "One studio, producer or licensor",
  params: idParam,
  answer: z.object({ data: producerObject }),
  async handle({ params, viewer, facts }) {
    const company = await findCompany(requireNumber(params.id), viewer);
    return company
      ? { data: producerOnWire(company, facts.origin) }
      : refuse("not_found", "This producer is not in this catalog");
  },
});
export const action = loader;
