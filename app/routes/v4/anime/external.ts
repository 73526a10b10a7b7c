import { z } from "zod";
import { externalOnWire, pageObject } from "#app/wire/jikan/anime/links-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation(
  "A title's pages on other sites",
  z.array(pageObject),
  ({ externalIds }) => externalOnWire(externalIds),
);
export const action = loader;
