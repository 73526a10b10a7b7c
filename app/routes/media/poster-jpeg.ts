import { serve } from "#app/http/endpoint/operation.server.ts";
import { posterMiddleware, posterOperation } from "./poster-operation.server.ts";

export const middleware = posterMiddleware;

export const loader = serve(posterOperation("jpeg"));
export const action = loader;
