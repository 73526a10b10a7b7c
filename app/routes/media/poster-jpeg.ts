import { serve } from "#app/http/endpoint/operation.server.ts";
import { posterOperation } from "./poster-operation.server.ts";

export const loader = serve(posterOperation("jpeg"));
export const action = loader;
