import { limited } from "#app/api/access/limits.server.ts";
import { aboutJikan } from "#app/api/jikan/about-jikan.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { openApiOperation } from "#app/http/endpoint/openapi-operation.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = serve(openApiOperation(aboutJikan, "About"));
export const action = loader;
