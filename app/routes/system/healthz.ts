import { z } from "zod";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { withNobody } from "#app/http/sharing.ts";

export const middleware = [unlimited("Health checks must be answered however busy the site is")];

const health = operation("GET", {
  tag: "System",
  summary: "Whether the process is running",
  sharing: withNobody,
  admission: "open",
  answer: z.object({ status: z.literal("ok") }),
  handle: async () => ({ status: "ok" as const }),
});

export const loader = serve(health);
export const action = loader;
