import type { MiddlewareFunction } from "react-router";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { memoryPlan, shareOfMemory } from "#app/platform/process/memory.server.ts";
import { mebibytes } from "#app/platform/units.ts";
import { clientContext, routeFactsContext } from "../context.server.ts";
import { errorResponse } from "../endpoint/error-response.server.ts";

/**
 * Decides which requests a route may begin to answer. What can be under way at the same time is divided among clients,
 * so that a client with a thousand slow requests is refused while others are answered.
 */

type Limits = Parameters<typeof createFairShare>[0];
export type AdmissionLimits = {
  /** Requests that wait for the database or for computing. */
  requests: Limits;
  /** Requests that wait for another server. */
  upstream: Limits;
  /** Requests with a body. They also count as `requests` or `upstream`. */
  bodies: Limits;
  /** Requests with a large body, or one of unknown length. They count instead of `bodies`. */
  uploads: Limits;
  /** The bytes of small bodies: the route holds a body until it has arrived completely. */
  bodyBytes: Limits;
};

function admissionLimits(perClient: number): AdmissionLimits {
  const total = Math.min(memoryPlan.requests, Math.max(1000, 5 * perClient));
  const share = Math.min(perClient, Math.ceil(total / 2));
  const limits = { total, perClient: share };
  return {
    requests: limits,
    upstream: limits,
    bodies: limits,
    uploads: { total: 64, perClient: 16, perNetwork: 32 },
    bodyBytes: shareOfMemory(memoryPlan.requestBodies),
  };
}

const maxSmallBodyBytes = mebibytes(1);
const retryAfter = 2;

type Admit = {
  middleware: MiddlewareFunction<Response>;
  /** For a request that waits for the answer of another one, without its route. */
  admitWaiting: (ip: string) => (() => void) | Response;
};

export function createAdmission(limits: AdmissionLimits): Admit {
  const shares = {
    requests: shareOf("requests", limits.requests, "requests"),
    upstream: shareOf("upstream", limits.upstream, "requests that wait for other servers"),
    bodies: shareOf("bodies", limits.bodies, "requests with a body"),
    uploads: shareOf("uploads", limits.uploads, "uploads"),
    bodyBytes: shareOf("body bytes", limits.bodyBytes, "large bodies"),
  };
  const sharesOf = (request: Request): [Share, number][] =>
    bytesOf(request) > maxSmallBodyBytes
      ? [[shares.uploads, 1]]
      : [
          [shares.bodies, 1],
          [shares.bodyBytes, bytesOf(request)],
        ];

  const middleware: MiddlewareFunction<Response> = async ({ request, context, pattern }, next) => {
    const { admission } = context.get(routeFactsContext)(pattern);
    const client = ipBlockOf(context.get(clientContext).ip);
    const needed: [Share, number][] = [
      ...(admission === "open" ? [] : [[shares[admission ?? "requests"], 1] satisfies [Share, number]]),
      ...(request.body ? sharesOf(request) : []),
    ];
    const held: (() => void)[] = [];
    try {
      for (const [{ take, refuse }, amount] of needed) {
        const giveBack = take(client, amount);
        if (!giveBack) return refuse();
        held.push(giveBack);
      }
      return await next();
    } finally {
      for (const giveBack of held) giveBack();
    }
  };
  const { take, refuse } = shares.requests;
  return { middleware, admitWaiting: (ip) => take(ipBlockOf(ip)) ?? refuse() };
}

/** The middleware of the root route, so that every request passes it. */
export const { middleware: admit, admitWaiting } = createAdmission(admissionLimits(env.CLIENT_REQUESTS));

type Share = ReturnType<typeof shareOf>;

function shareOf(kind: string, limits: Limits, noun: string) {
  const { take } = createFairShare(limits);
  const countRefusal = createRefusalCounter(
    kind,
    `Too many ${noun} are under way at the same time, so some get 503. If they come from one client that should have more, raise CLIENT_REQUESTS. If your own proxy forwards them, set TRUST_PROXY`,
  );
  const refuse = () => {
    countRefusal();
    return errorResponse(503, "Busy, try again shortly", { headers: { "Retry-After": String(retryAfter) } });
  };
  return { take, refuse };
}

const bytesOf = ({ headers }: Request) => Number(headers.get("Content-Length") ?? Number.POSITIVE_INFINITY);
