import { videosObject, videosOnWire } from "#app/wire/jikan/anime/pictures-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation("A title's trailer", videosObject, videosOnWire);
export const action = loader;
