import { animeObject, animeOnWire } from "#app/wire/jikan/anime/anime-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation("One title", animeObject, (title, { facts }) =>
  animeOnWire(title, facts),
);
export const action = loader;
