import { z } from "zod";
import { relationObject, relationsOnWire } from "#app/wire/jikan/anime/links-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation(
  "The anime that a title is related to",
  z.array(relationObject),
  ({ relations }, { facts }) => relationsOnWire(relations, facts.origin),
);
export const action = loader;
