import { z } from "zod";
import { imagesObject, imagesOnWire } from "#app/wire/jikan/anime/pictures-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation(
  "A title's pictures: its poster",
  z.array(z.object({ images: imagesObject })),
  ({ malId }, { facts }) => [{ images: imagesOnWire(malId, facts.origin) }],
);
export const action = loader;
