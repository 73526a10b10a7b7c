import { limited } from "#app/api/access/limits.server.ts";
import { aboutApi } from "#app/api/api-info.server.ts";
import { openApiOperation } from "#app/http/endpoint/openapi-operation.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";

export const middleware = [limited("document")];

export const loader = serve(openApiOperation(aboutApi, "System"));
export const action = loader;
