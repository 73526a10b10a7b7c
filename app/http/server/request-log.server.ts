import type { ServerResponse } from "node:http";
import { pathWithoutSecret } from "#app/paths.ts";
import { log } from "#app/platform/log.server.ts";
import { counter, histogram } from "#app/platform/metrics.server.ts";
import type { Answer } from "../pipeline/answer.server.ts";
import type { IncomingRequest } from "./incoming-request.server.ts";

/**
 * Logs and measures each request. Static files and answers from the public cache are too many, so they are only
 * counted, and so are answers to clients that have left before.
 */

const answered = counter("http_requests_total", "Requests answered", ["source", "status"]);
const durations = histogram(
  "http_request_seconds",
  "Seconds from the arrival of the request to the end of the answer, without static files and cached answers",
  [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  ["source"],
);

type LoggedRequest = {
  incoming: IncomingRequest | null;
  method: string;
  answer: Answer;
  response: ServerResponse;
  startedAt: number;
};

export function logAndCountAnswer({
  incoming,
  method,
  answer: { source, status },
  response,
  startedAt,
}: LoggedRequest) {
  const hasLeft = response.destroyed;
  answered.inc({ source, status: hasLeft ? "left" : `${Math.trunc(status / 100)}xx` });
  if (hasLeft || source === "file" || source === "cache") return;
  response.once("close", () => {
    const ms = performance.now() - startedAt;
    durations.observe({ source }, ms / 1000);
    log.info("request", {
      method,
      path: incoming && pathWithoutSecret(incoming.path).slice(0, 200),
      status,
      ms: Math.round(ms),
      id: incoming?.requestId,
      ...(!response.writableFinished && { left: true }),
    });
  });
}
