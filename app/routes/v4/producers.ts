import { z } from "zod";
import { listCompanies } from "#app/domain/catalog/catalog.server.ts";
import { producerObject, producerOnWire, producerParams } from "#app/wire/jikan/names-json.server.ts";
import {
  limitParam,
  pageParam,
  shortPagingObject,
  shortPagingOnWire,
} from "#app/wire/jikan/paging.server.ts";
import { jikanMiddleware, jikanOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Names",
  summary: "Studios, producers and licensors",
  query: { ...producerParams, page: pageParam, limit: limitParam },
  answer: z.object({ pagination: shortPagingObject, data: z.array(producerObject) }),
  async handle({ query, viewer, facts }) {
    const { q, letter, order_by: order, sort, page, limit: perPage } = query;
    const companyPage = await listCompanies(
      { search: q, beginning: letter, order, descending: sort, page, perPage },
      viewer,
    );
    return {
      pagination: shortPagingOnWire(companyPage),
      data: companyPage.companies.map((company) => producerOnWire(company, facts.origin)),
    };
  },
});
export const action = loader;
