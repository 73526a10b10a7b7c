import { memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { serve } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import {
  addEntryEndpoint,
  listEndpoint,
  removeEntryEndpoint,
  updateEntryEndpoint,
} from "./list-operations.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];
export const loader = serve(listEndpoint, addEntryEndpoint, updateEntryEndpoint, removeEntryEndpoint);
export const action = loader;
