import { z } from "zod";
import { operation, serve } from "#app/http/operation.server.ts";

const health = operation("GET", {
  tag: "System",
  summary: "Whether the process lives",
  answer: z.object({ status: z.literal("ok") }),
  handle: async () => ({ status: "ok" as const }),
});

export const loader = serve(health);
export const action = loader;
