import { isIPv6 } from "node:net";
import type { MiddlewareFunction } from "react-router";
import { inSeconds, seconds } from "../platform/duration.ts";
import { env } from "../platform/env.server.ts";
import { createFixedWindow, type Hit } from "../platform/fixed-window.ts";
import { errorFields, log } from "../platform/log.server.ts";
import { counter } from "../platform/metrics.server.ts";
import { hitShared } from "../platform/shared-window.server.ts";
import { answerNotesContext, clientContext } from "./context.server.ts";
import { errorResponse, nestedErrorResponse } from "./error-response.server.ts";
import { type LimiterName, pointsOf } from "./limiters.server.ts";
import { withHeaders } from "./with-headers.server.ts";

/** One point a request, per client address, in fixed windows; each name counts for itself. */

const windows = createFixedWindow({ maxKeys: 100_000 });
const refusals = counter("rate_limited_total", "Requests refused by a limiter", ["limiter"]);

type Options = {
  /** Page routes share the counter of their endpoint, for posts alone. */
  on?: "writes";
};

export function limited(name: LimiterName, { on }: Options = {}) {
  const middleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
    if (on === "writes" && (request.method === "GET" || request.method === "HEAD")) return next();
    const charged = await charge(name, context.get(clientContext).address);
    if (charged.refusal) throw charged.refusal;
    context.get(answerNotesContext).limiter = name;
    return withHeaders(await next(), charged.headers);
  };
  return Object.assign(middleware, { limiter: name });
}

type Charged = { headers: Record<string, string>; refusal?: Response };

/**
 * Takes one point. The public cache calls it too, for the answers that it gives in the route's place. A promise only
 * where instances share their counters.
 */
export function charge(name: LimiterName, address: string): Charged | Promise<Charged> {
  const key = `${name} ${addressBlock(address)}`;
  return env.REDIS_URL === undefined ? chargeHere(name, key) : chargeShared(name, key);
}

async function chargeShared(name: LimiterName, key: string): Promise<Charged> {
  const shared = await hitShared(key, seconds(env.RATE_LIMIT_SECONDS));
  return shared ? judged(name, shared) : chargeHere(name, key);
}

function chargeHere(name: LimiterName, key: string): Charged {
  try {
    return judged(name, windows.hit(key, seconds(env.RATE_LIMIT_SECONDS)));
  } catch (error) {
    log.error("the rate limiter failed", errorFields(error));
    return { headers: {}, refusal: errorResponse(500, "Internal server error") };
  }
}

function judged(name: LimiterName, hit: Hit): Charged {
  const limit = pointsOf(name);
  const headers = {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(Math.max(0, limit - hit.count)),
    "X-RateLimit-Reset": String(Math.ceil(hit.resetsInMs / 1000)),
  };
  return hit.count > limit ? { headers, refusal: refusal(name, hit, headers) } : { headers };
}

function refusal(name: LimiterName, hit: Hit, headers: Record<string, string>) {
  refusals.inc({ limiter: name });
  if (name === "video")
    log.warnOnce(
      "video-limit",
      "A viewer ran into the video proxy's limit; RATE_LIMIT_VIDEO_POINTS raises it",
    );
  const retryAfter = Math.max(1, inSeconds(hit.resetsInMs));
  const words = "Too many requests";
  if (name === "listing")
    return nestedErrorResponse(429, "rate_limit", words, { ...headers, "Retry-After": String(retryAfter) });
  return errorResponse(429, words, { retryAfter, headers });
}

/** Who holds one IPv6 address holds its whole /64, so that is what counts as one client. */
export function addressBlock(address: string) {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  const groups = [...front, ...zeros, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}
