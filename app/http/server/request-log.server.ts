import type { ServerResponse } from "node:http";
import { log } from "#app/platform/log.server.ts";
import { counter, histogram } from "#app/platform/metrics.server.ts";
import type { Answer } from "../pipeline/answer.server.ts";
import type { IncomingRequest } from "./incoming-request.server.ts";

/** One line and a few numbers a request. Answers from memory are only counted: they would drown the rest. */

const answered = counter("http_requests_total", "Requests answered", ["source", "status"]);
const durations = histogram(
  "http_request_seconds",
  "From the request's headers to the end of the answer, those from memory left out",
  [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  ["source"],
);

type Served = {
  arrival: IncomingRequest | null;
  method: string;
  answer: Answer;
  response: ServerResponse;
  startedAt: number;
};

export function logAndCountAnswer({
  arrival,
  method,
  answer: { source, status },
  response,
  startedAt,
}: Served) {
  countOf(source, Math.trunc(status / 100)).inc();
  if (source === "file" || source === "cache") return;
  response.once("close", () => {
    const ms = performance.now() - startedAt;
    durations.observe({ source }, ms / 1000);
    log.info("request", {
      method,
      path: arrival?.path.slice(0, 200),
      status,
      ms: Math.round(ms),
      id: arrival?.requestId,
      ...(!response.writableFinished && { left: true }),
    });
  });
}

/** prom-client finds a label's number by building a key each time; there are but a few. */
const counts = new Map<string, { inc(): void }>();

function countOf(source: Answer["source"], hundreds: number) {
  const key = source + hundreds;
  const known = counts.get(key);
  if (known) return known;
  const count = answered.labels({ source, status: `${hundreds}xx` });
  counts.set(key, count);
  return count;
}
