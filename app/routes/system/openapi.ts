import { limited } from "#app/access/limits.server.ts";
import { openApiOperation } from "#app/http/endpoint/openapi-operation.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";
import { aboutApi } from "./api-info.server.ts";

export const middleware = [limited("document")];

export const loader = serve(openApiOperation(aboutApi, "System"));
export const action = loader;
