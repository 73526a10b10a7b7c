import { createContext, type MiddlewareFunction } from "react-router";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { failedInOverload, hasActiveOthers } from "#app/platform/limits/current-client.server.ts";
import { createFairShare, type ShareLimits } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTimedQueue, type TimedQueueOptions } from "#app/platform/limits/timed-queue.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";
import { type Context, ipBlockIn, routeFactsContext, signalIn } from "../context.server.ts";
import { fail } from "../endpoint/error-response.server.ts";

/**
 * Decides which requests a route may begin to answer. The requests under way are divided among clients, so that a
 * client with a thousand slow requests is refused while others are still answered.
 */

export type AdmissionLimits = {
  /** Requests that wait for the database or for computation. */
  requests: ShareLimits;
  /** Requests that wait for another server. */
  upstream: ShareLimits;
  /** Requests with a body. They also count as `requests` or `upstream`. */
  bodies: ShareLimits;
  /** Requests whose body is large or of unknown length. They count here, not as `bodies`. */
  uploads: ShareLimits;
  /**
   * The bytes of small bodies, but for the shortest. A route holds a body in memory until it has arrived completely.
   */
  bodyBytes: ShareLimits;
};

/**
 * A body takes its bytes while it arrives, which may be slowly, so that one client gets an eighth: always enough for
 * the largest small body.
 */
const bodyBytesLimits = (total: number) => ({
  total,
  perClient: Math.max(maxSmallBodyBytes, total / 8),
  perNetwork: total / 4,
});

const maxSmallBodyBytes = mebibytes(1);
/**
 * So short a body is part of what any request may use. Most writes of players and lists are shorter, so nobody's large
 * bodies keep them out.
 */
const maxFreeBodyBytes = kibibytes(8);

function admissionLimits(perClient: number): AdmissionLimits {
  const total = Math.min(memoryPlan.requests, Math.max(1000, 5 * perClient));
  const share = Math.min(perClient, Math.ceil(total / 2));
  const limits = { total, perClient: share };
  return {
    requests: limits,
    upstream: limits,
    bodies: limits,
    uploads: { total: 64, perClient: 8, perNetwork: 16 },
    bodyBytes: bodyBytesLimits(mebibytes(memoryPlan.requestBodies)),
  };
}

/**
 * How many requests one account may run at the same time, from all its addresses. Further requests wait briefly in the
 * account's queue. All requests share one thread, so with fewer of a busy account's requests running, other clients
 * wait less. The account's own requests take no longer, because they would wait for each other anyway. Writes and
 * uploads have separate queues: a request holds its place while its body arrives or an import waits, and must not block
 * the account's pages and players.
 */
const memberLimits = {
  running: { total: Number.POSITIVE_INFINITY, perClient: 48, perNetwork: 96, perAccount: 3 },
  waiting: { total: memoryPlan.requests, perClient: Math.ceil(memoryPlan.requests / 4) },
  maxWaitMs: seconds(5),
  leavesTime: hasActiveOthers,
} satisfies TimedQueueOptions;
const memberTurns = {
  reading: createTimedQueue(memberLimits),
  writing: createTimedQueue(memberLimits),
  uploading: createTimedQueue(memberLimits),
};
gauge(
  "member_requests_waiting",
  "Requests of members that wait until others of their account are answered",
  () => Object.values(memberTurns).reduce((sum, { waiting }) => sum + waiting(), 0),
);
const countMemberRefusal = createRefusalCounter(
  "account",
  "One account sends requests faster than its share of the site can answer them, so some get 503",
);

/** The functions that release what a request holds. They run when it ends. */
const heldContext = createContext<(() => void)[] | null>(null);
/** True if the request already has a place in its account's queue. */
const hasTurnContext = createContext<boolean>(false);

/** For a page: it already has a place in the queue of pages. */
export const noteTurn = (context: Context) => context.set(hasTurnContext, true);

/** Waits until a request of this account may run. Throws 503 if it would wait too long. */
export async function admitMember(request: Request, context: Context, account: string): Promise<void> {
  const held = context.get(heldContext);
  if (!held || context.get(hasTurnContext)) return;
  noteTurn(context);
  const queue = !request.body
    ? memberTurns.reading
    : isUpload(request)
      ? memberTurns.uploading
      : memberTurns.writing;
  const leave = await queue.enter(ipBlockIn(context), { account, signal: signalIn(context) });
  if (leave) return void held.push(leave);
  if (!signalIn(context).aborted) countMemberRefusal();
  throw busy();
}

type Admit = {
  middleware: MiddlewareFunction<Response>;
  /** For a request that waits for the answer of another request and does not run its route. */
  admitWaiting: (ip: string) => (() => void) | Response;
};

export function createAdmission(limits: AdmissionLimits): Admit {
  const shares = {
    requests: shareOf("requests", limits.requests, "requests"),
    upstream: shareOf("upstream", limits.upstream, "requests that wait for other servers"),
    bodies: shareOf("bodies", limits.bodies, "requests with a body"),
    uploads: shareOf("uploads", limits.uploads, "uploads"),
    bodyBytes: shareOf("body_bytes", limits.bodyBytes, "large bodies"),
  };
  const sharesOf = (request: Request): [Share, number][] => {
    if (isUpload(request)) return [[shares.uploads, 1]];
    const place: [Share, number] = [shares.bodies, 1];
    const bytes = bytesOf(request);
    return bytes > maxFreeBodyBytes ? [place, [shares.bodyBytes, bytes]] : [place];
  };

  const middleware: MiddlewareFunction<Response> = async ({ request, context, pattern }, next) => {
    const { admission } = context.get(routeFactsContext)(pattern);
    const client = ipBlockIn(context);
    const needed: [Share, number][] = [
      ...(admission === "open" ? [] : [[shares[admission ?? "requests"], 1] satisfies [Share, number]]),
      ...(request.body ? sharesOf(request) : []),
    ];
    const held: (() => void)[] = [];
    context.set(heldContext, held);
    try {
      for (const [{ take, refuse }, amount] of needed) {
        const giveBack = take(client, amount);
        if (!giveBack) return refuse();
        held.push(giveBack);
      }
      const response = await next();
      return failedInOverload(response) ? busy() : response;
    } finally {
      for (const giveBack of held) giveBack();
    }
  };
  const { take, refuse } = shares.requests;
  return { middleware, admitWaiting: (ip) => take(ipBlockOf(ip)) ?? refuse() };
}

/** The middleware of the root route, so every request passes it. */
export const { middleware: admit, admitWaiting } = createAdmission(admissionLimits(env.CLIENT_REQUESTS));

type Share = ReturnType<typeof shareOf>;

function shareOf(kind: string, limits: ShareLimits, noun: string) {
  const { take } = createFairShare(limits);
  const countRefusal = createRefusalCounter(
    kind,
    `Too many ${noun} are under way at the same time, so some get 503. If they come from one client that should have more, raise CLIENT_REQUESTS. If your own proxy forwards them, set TRUST_PROXY`,
  );
  const refuse = () => {
    countRefusal();
    return busy();
  };
  return { take, refuse };
}

const busy = () => fail("overloaded");

const isUpload = (request: Request) => bytesOf(request) > maxSmallBodyBytes;
const bytesOf = ({ headers }: Request) => Number(headers.get("Content-Length") ?? Number.POSITIVE_INFINITY);
