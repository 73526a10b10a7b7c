import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { openApiOperation } from "#app/http/endpoint/openapi-operation.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";
import { aboutJikan } from "#app/wire/jikan/about-jikan.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = serve(openApiOperation(aboutJikan, "About"));
export const action = loader;
