import { z } from "zod";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation(
  "Always null: catalogs have no such notes",
  z.object({ moreinfo: z.string().nullable() }),
  () => ({ moreinfo: null }),
);
export const action = loader;
