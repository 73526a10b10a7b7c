import { songsObject, songsOnWire } from "#app/wire/jikan/anime/anime-full-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation("A title's opening and ending songs", songsObject, songsOnWire);
export const action = loader;
