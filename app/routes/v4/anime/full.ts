import { listExtras } from "#app/domain/catalog/catalog.server.ts";
import { animeFullObject, animeFullOnWire } from "#app/wire/jikan/anime/anime-full-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation(
  "One title with its relations and its pages on other sites",
  animeFullObject,
  async (title, { facts }) => animeFullOnWire(title, facts, (await listExtras(title.malId)).streams),
);
export const action = loader;
