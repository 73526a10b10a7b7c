import { memberOrToken } from "#app/http/guard.server.ts";
import { serve } from "#app/http/operation.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { addEntry } from "#app/http/watch-list.server.ts";

export const middleware = [sameOrigin, memberOrToken];
export const loader = serve(addEntry);
export const action = loader;
