import type { MiddlewareFunction } from "react-router";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { ipBlockOf, networkOf } from "#app/platform/limits/client-block.ts";
import { createFixedWindow, type Hit } from "#app/platform/limits/fixed-window.ts";
import { hitShared } from "#app/platform/limits/shared-window.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { seconds } from "#app/platform/units.ts";
import { answerStateContext, type Context, clientContext, type Limiter } from "../context.server.ts";
import { errorResponse, type WriteError } from "../endpoint/error-response.server.ts";
import { isReading } from "../methods.ts";
import { bearerToken } from "./bearer-token.ts";
import { sessionCookiesIn } from "./session-cookie.server.ts";

/** Counts the requests of each client in fixed windows. The application declares the limiters and their limits. */

const windows = createFixedWindow({ maxKeys: 100_000 });
const refusals = counter("rate_limited_total", "Requests refused by a limiter", ["limiter"]);

/** All blocks of one IPv6 network together may send this many times the requests of one block. */
const networkFactor = 4;

type Options = {
  /** Counts only requests that may write. */
  on?: "writes";
  /** The name of the counter that a request charges. Undefined charges the client's address, null charges nothing. */
  by?: (received: Received) => Promise<string | null | undefined>;
  /** Writes the refusal for a route that answers browsers, when the limiter's other routes answer programs. */
  errorShape?: WriteError;
};

type Received = {
  request: Request;
  context: Context;
  params: { readonly [name: string]: string | undefined };
};

/** Makes the middleware for a table of limiters: `limited("signin")` charges the limiter of that name. */
export const limitedBy =
  <Name extends string>(limiters: Record<Name, Omit<Limiter, "name">>) =>
  (name: Name, { on, by, errorShape }: Options = {}) => {
    const limiter: Limiter = { name, ...limiters[name], ...(errorShape && { errorShape }) };
    const middleware: MiddlewareFunction<Response> = async ({ request, context, params }, next) => {
      if (on === "writes" && isReading(request.method)) return next();
      const payer = await by?.({ request, context, params });
      if (payer === null) return next();
      const charged = await (payer === undefined
        ? chargeLimiter(limiter, context.get(clientContext).ip)
        : charge(limiter, payer));
      if (charged.refusal) throw charged.refusal;
      const answerState = context.get(answerStateContext);
      answerState.limiter = limiter;
      const refusedAccount = limiter.isPerAccount && refusedAccounts.get(senderOf(request) ?? "");
      if (refusedAccount) await chargeAccount(request, context, refusedAccount);
      const response = await next();
      return withHeaders(response, nearerLimit(charged.headers, answerState.accountLimit));
    };
    return Object.assign(middleware, { limiter });
  };

/** Marks a route without a limiter and says why. A test requires a limiter or this mark on every route. */
export const unlimited = (reason: string) => {
  const middleware: MiddlewareFunction<Response> = (_args, next) => next();
  return Object.assign(middleware, { unlimited: reason });
};

/**
 * The accounts of refused senders, until their window ends. Their next requests are refused before the session is looked
 * up, so that a flood costs no queries. A session that has ended meanwhile gets 429 instead of 401.
 */
const refusedAccounts = createSparseLru<string, string>({ max: 10_000 });
/** Much longer than a session cookie or an access token. */
const maxSenderLength = 500;

/** The session or the access token. Undefined if the request has none, or both, which may belong to two accounts. */
function senderOf(request: Request): string | undefined {
  const session = sessionCookiesIn(request.headers.get("Cookie"));
  const [sender, other] = [session, bearerToken(request)].filter(Boolean);
  return sender && other === undefined && sender.length <= maxSenderLength ? sender : undefined;
}

/** Counts a request for its account, if the route's limiter counts accounts. Throws the response if it is refused. */
export async function chargeAccount(request: Request, context: Context, account: string): Promise<void> {
  const answerState = context.get(answerStateContext);
  const { limiter } = answerState;
  if (!limiter?.isPerAccount || answerState.accountLimit) return;
  const { headers, refusal, refusedForMs } = await charge(limiter, `account ${account}`);
  answerState.accountLimit = headers;
  if (!refusal) return;
  const sender = senderOf(request);
  if (sender && refusedForMs) refusedAccounts.set(sender, account, { ttl: refusedForMs });
  throw refusal;
}

function nearerLimit(own: Record<string, string>, account: Record<string, string> | undefined) {
  const remaining = "X-RateLimit-Remaining";
  return account && Number(account[remaining]) < Number(own[remaining]) ? account : own;
}

export type Charged = {
  headers: Record<string, string>;
  refusal?: Response;
  /** How long further requests are refused. */
  refusedForMs?: number;
};

/**
 * Counts one request. The public cache also calls it for requests that it answers without running the route. Returns a
 * promise only if the instances share their counters through Redis.
 */
export function chargeLimiter(limiter: Limiter, ip: string): Charged | Promise<Charged> {
  const block = ipBlockOf(ip);
  const network = networkOf(block);
  const chargeBlock = () => charge(limiter, block);
  if (network === block) return chargeBlock();
  // The network comes first: its many blocks must not create counters once all of them are refused.
  const whole = charge({ ...limiter, maxRequests: networkFactor * limiter.maxRequests }, network);
  const unlessRefused = (charged: Charged) => (charged.refusal ? charged : chargeBlock());
  return whole instanceof Promise ? whole.then(unlessRefused) : unlessRefused(whole);
}

function charge(limiter: Limiter, client: string) {
  const key = `${limiter.name} ${client}`;
  return env.REDIS_URL === undefined ? chargeInProcess(limiter, key) : chargeInRedis(limiter, key);
}

async function chargeInRedis(limiter: Limiter, key: string): Promise<Charged> {
  const shared = await hitShared(key, seconds(env.RATE_LIMIT_SECONDS));
  return shared ? chargedFor(limiter, shared) : chargeInProcess(limiter, key);
}

function chargeInProcess(limiter: Limiter, key: string): Charged {
  try {
    return chargedFor(limiter, windows.hit(key, seconds(env.RATE_LIMIT_SECONDS)));
  } catch (error) {
    log.error("the rate limiter failed", errorFields(error));
    return { headers: {}, refusal: errorResponse(500, "Internal server error") };
  }
}

function chargedFor(limiter: Limiter, { count, resetsInMs }: Hit): Charged {
  const { maxRequests } = limiter;
  // Rounded up, so that a client that waits this long finds a new window.
  const retryAfter = Math.max(1, Math.ceil(resetsInMs / seconds(1)));
  const headers = {
    "X-RateLimit-Limit": String(maxRequests),
    "X-RateLimit-Remaining": String(Math.max(0, maxRequests - count)),
    "X-RateLimit-Reset": String(retryAfter),
  };
  return count > maxRequests
    ? { headers, refusal: refusalOf(limiter, retryAfter, headers), refusedForMs: resetsInMs }
    : { headers };
}

function refusalOf({ name, errorShape, hint }: Limiter, retryAfter: number, headers: Record<string, string>) {
  refusals.inc({ limiter: name });
  if (hint !== undefined) log.warnOnce(`${name}-limit`, hint);
  const message = "Too many requests";
  return (
    errorShape?.({ status: 429, message, headers: { ...headers, "Retry-After": String(retryAfter) } }) ??
    errorResponse(429, message, { retryAfter, headers })
  );
}

/** Sets headers. Copies a response whose headers are immutable, such as `Response.redirect()`. */
function withHeaders(response: Response, entries: Record<string, string>): Response {
  try {
    for (const [name, value] of Object.entries(entries)) response.headers.set(name, value);
    return response;
  } catch {
    const copy = new Response(response.body, response);
    for (const [name, value] of Object.entries(entries)) copy.headers.set(name, value);
    return copy;
  }
}
