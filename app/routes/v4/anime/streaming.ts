import { z } from "zod";
import { listExtras } from "#app/domain/catalog/catalog.server.ts";
import { pageObject, streamingOnWire } from "#app/wire/jikan/anime/links-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation(
  "Where a title can be watched: this site, if it has a film, and legal offers of other sites",
  z.array(pageObject),
  async (title, { facts }) => streamingOnWire(title, (await listExtras(title.malId)).streams, facts.origin),
);
export const action = loader;
