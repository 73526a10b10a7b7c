import { serve } from "#app/http/endpoint/operation.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { posterOperation } from "./poster-operation.server.ts";

export const middleware = [
  unlimited(
    "A page shows dozens; posters have the admission of upstream requests and a budget of computing time",
  ),
];

export const loader = serve(posterOperation("webp"));
export const action = loader;
