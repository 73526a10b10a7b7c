import { limited } from "#app/api/access/limits.server.ts";
import { addEntryEndpoint } from "#app/api/watch-list.server.ts";
import { memberOrToken } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];
export const loader = serve(addEntryEndpoint);
export const action = loader;
