import { updateEntryEndpoint } from "#app/api/watch-list.server.ts";
import { memberOrToken } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";

export const middleware = [sameOrigin, memberOrToken];
export const loader = serve(updateEntryEndpoint);
export const action = loader;
