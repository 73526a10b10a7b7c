import { z } from "zod";
import { findReasonsNotReady } from "#app/http/health.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";

const readiness = operation("GET", {
  tag: "System",
  summary: "Whether this process should get requests; 503 with the reasons if not",
  answer: z.object({ status: z.literal("ready") }),
  handle: async () => {
    const reasons = await findReasonsNotReady();
    if (reasons.length === 0) return { status: "ready" as const };
    return Response.json(
      { status: "not ready", reasons },
      { status: 503, headers: { "Cache-Control": "no-store", "Retry-After": "2" } },
    );
  },
});

export const loader = serve(readiness);
export const action = loader;
