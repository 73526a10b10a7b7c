import { z } from "zod";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { busyHeaders, errorObject } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { listReasonsNotReady } from "#app/http/server/health.server.ts";
import { withNobody } from "#app/http/sharing.ts";

export const middleware = [unlimited("Health checks must be answered however busy the site is")];

const notReady = z.object({ status: z.literal("not ready"), reasons: z.array(z.string()) });

const readiness = operation("GET", {
  tag: "System",
  summary: "Whether this process should get requests; 503 with the reasons if not",
  sharing: withNobody,
  admission: "open",
  answer: z.object({ status: z.literal("ready") }),
  otherAnswers: { 503: z.union([notReady, errorObject]) },
  handle: async () => {
    const reasons = await listReasonsNotReady();
    if (reasons.length === 0) return { status: "ready" as const };
    return Response.json(
      { status: "not ready", reasons },
      { status: 503, headers: { ...cacheHeaders(noStore), ...busyHeaders } },
    );
  },
});

export const loader = serve(readiness);
export const action = loader;
