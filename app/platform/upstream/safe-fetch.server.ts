import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { Pool } from "undici";
import { joinParts } from "../joined-parts.server.ts";
import { withTimeLimit } from "../limits/time-limit.ts";
import { env } from "../process/env.server.ts";
import { reusePieces } from "../reused-pieces.server.ts";
import { abortable } from "./abortable.ts";
import {
  defaultFetchLimits,
  type FetchRefusal,
  FetchTimeout,
  fetchRefusalOf,
} from "./fetch-refusal.server.ts";
import { createHopHeaders, type HeaderOptions } from "./hop-headers.server.ts";
import { createNameLookup, type Resolve } from "./names/name-lookup.server.ts";
import { ipOf, type ResolvedIp } from "./names/system-names.ts";
import { createConnectionPools } from "./pinned-pools.server.ts";
import {
  allPrivateUpstreams,
  judgeIp,
  noPrivateUpstreams,
  type PrivateUpstreams,
  parsePrivateUpstreams,
} from "./private-upstreams.ts";
import { returnPiece } from "./read-buffer.server.ts";

/**
 * Fetches URLs that a client or another external source chose. No other code may do that. Before each hop, all IP
 * addresses of its host are checked, and the connection goes only to those addresses.
 */

/**
 * `local`: allowed only because this client may name loopback upstreams. `own`: read inside this process. `members`:
 * read inside this process, and not public.
 */
export type UpstreamReach = "public" | "private" | "local" | "own" | "members";

export type SafeResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /**
   * The caller must read or destroy the body. It fails if the upstream closes it early or stalls, or if the signal
   * aborts.
   */
  body: Readable;
  /** The URL after all redirects. */
  finalUrl: URL;
  reach: UpstreamReach;
};

type FetchOutcome = { ok: true; response: SafeResponse } | FetchRefusal;

export type FetchOptions = HeaderOptions & {
  /** The block of the client's address, whose share of the look-ups this request uses. */
  client: string;
  method?: "GET" | "HEAD" | "POST";
  /** Sent with POST. A redirect of such a request is not followed, and its status is the answer. */
  body?: string;
  signal?: AbortSignal;
  /** True if this client may name loopback upstreams (local mode). */
  mayReachLoopback?: boolean;
  /** True if the operator's configuration names this URL: it may be private, but the targets of its redirects may not. */
  isConfigured?: boolean;
  /**
   * Called before every hop, so that the site never connects to itself. Returns the site's own response, or `loop` to
   * refuse the hop, or null for a URL of another server.
   */
  readOwn?: (url: URL, options: FetchOptions) => Promise<OwnAnswer> | OwnAnswer;
  /** Called before every hop. True if the operator allows this URL (PROXY_ALLOWED_HOSTS). */
  isAllowed?: (url: URL) => boolean;
  firstByteMs?: number;
  idleMs?: number;
  /**
   * The limit from the call to the last byte of the body. It replaces the defaults of the two limits above, which are
   * shorter and would end the fetch earlier.
   */
  totalMs?: number;
};

export type OwnAnswer =
  | (Omit<SafeResponse, "finalUrl" | "reach"> & { reach?: UpstreamReach })
  | "loop"
  | null;

type AllowedHop = { ok: true; reach: "public" | "private" | "local"; addresses: readonly ResolvedIp[] };
type HopResult = AllowedHop | FetchRefusal;

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Parses a URL and refuses other schemes, credentials and port 0. */
export function readUpstreamUrl(text: string): { ok: true; url: URL } | FetchRefusal {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return { ok: false, reason: "bad_url", why: "malformed" };
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { ok: false, reason: "bad_url", why: "scheme" };
  if (url.username || url.password) return { ok: false, reason: "bad_url", why: "credentials" };
  if (url.port === "0") return { ok: false, reason: "bad_url", why: "malformed" };
  url.hash = "";
  return { ok: true, url };
}

type Settings = { privateUpstreams: PrivateUpstreams; resolve?: Resolve; connectMs?: number };

export function createSafeFetch(settings: Settings) {
  const judge = createJudge(settings);
  const connectMs = settings.connectMs ?? defaultFetchLimits.connectMs;
  const pools = createConnectionPools(connectMs);

  async function safeFetch(address: string | URL, requested: FetchOptions): Promise<FetchOutcome> {
    const options = withLimits(requested);
    const deadline = createDeadline(options);
    try {
      const outcome = await follow(
        String(address),
        { ...options, signal: deadline.signal },
        async (hop) => {
          const pool = pools.take(hop.url, hop.addresses);
          return (
            pool &&
            (await withFirstByteLimit(
              request(pool, hop.url, hop.options),
              { ...hop.options, connectMs: connectMs - hop.lookUpMs },
              deadline,
            ))
          );
        },
        judge,
      );
      if (outcome.ok) outcome.response.body.once("close", deadline.stop);
      else deadline.stop();
      return outcome;
    } catch (error) {
      deadline.stop();
      return fetchRefusalOf(error, { ...defaultFetchLimits, ...options });
    }
  }

  return Object.assign(safeFetch, { judge, close: pools.close });
}

const withLimits = (options: FetchOptions) => ({
  firstByteMs: options.totalMs ?? defaultFetchLimits.firstByteMs,
  idleMs: options.totalMs ?? defaultFetchLimits.idleMs,
  ...options,
});

type Judge = (url: URL, requester: FetchOptions) => Promise<HopResult>;

/** Decides whether a client may name this upstream. Resolves the name but does not connect. */
const createJudge =
  ({
    privateUpstreams,
    resolve = createNameLookup(),
    connectMs = defaultFetchLimits.connectMs,
  }: Settings): Judge =>
  async (url, { client, mayReachLoopback = false, isConfigured = false }) => {
    const allowed = isConfigured ? allPrivateUpstreams : privateUpstreams;
    const isLiteral = url.hostname.startsWith("[") || /^[\d.]+$/.test(url.hostname);
    let addresses: readonly ResolvedIp[];
    try {
      addresses = isLiteral
        ? [ipOf(url.hostname.replace(/^\[|\]$/g, ""))]
        : await withTimeLimit(resolve(url.hostname, client), connectMs, () => new FetchTimeout(connectMs));
    } catch (error) {
      return fetchRefusalOf(error);
    }
    let reach: AllowedHop["reach"] = "public";
    for (const { address } of addresses) {
      const judgement = judgeIp(url, address, allowed, mayReachLoopback);
      if (!judgement.ok)
        return { ok: false, reason: "refused_address", settingWouldAllow: judgement.settingWouldAllow };
      reach = mostRestricted(reach, judgement.reach);
    }
    if (addresses.length === 0) return { ok: false, reason: "name_not_found" };
    return { ok: true, reach, addresses };
  };

type TimedOptions = ReturnType<typeof withLimits> & { signal: AbortSignal };
type HopOptions = Omit<TimedOptions, "headers"> & { headers: Record<string, string> };
type Hop = { url: URL; addresses: readonly ResolvedIp[]; lookUpMs: number; options: HopOptions };

/** Follows redirects and checks every hop. `send` returns null if the upstream's pool is full. */
async function follow(
  address: string,
  options: TimedOptions,
  send: (hop: Hop) => Promise<PoolAnswer | null>,
  judge: Judge,
): Promise<FetchOutcome> {
  let reach: UpstreamReach = "public";
  let target = address;
  const { headersFor, keep } = createHopHeaders(options);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const read = readUpstreamUrl(target);
    if (!read.ok) return read;
    if (options.isAllowed?.(read.url) === false) return { ok: false, reason: "not_allowed" };
    const ownResponse = await options.readOwn?.(read.url, options);
    if (ownResponse === "loop") return { ok: false, reason: "loop" };
    if (ownResponse)
      return {
        ok: true,
        response: {
          ...ownResponse,
          finalUrl: read.url,
          reach: mostRestricted(ownResponse.reach ?? "own", reach),
        },
      };
    const since = performance.now();
    const requester = hop === 0 ? options : { ...options, isConfigured: false };
    const judged = await abortable(judge(read.url, requester), options.signal);
    if (!judged.ok) return judged;
    reach = mostRestricted(reach, judged.reach);
    const answer = await send({
      url: read.url,
      addresses: judged.addresses,
      lookUpMs: performance.now() - since,
      options: { ...options, headers: headersFor(read.url) },
    });
    if (!answer) return { ok: false, reason: "busy" };
    const location = answer.headers.location;
    const isRedirect = redirectStatuses.has(answer.statusCode) && options.body === undefined;
    if (!isRedirect || typeof location !== "string")
      return { ok: true, response: toSafeResponse(answer, read.url, reach, requester) };
    destroyBody(answer);
    keep(read.url, answer.headers["set-cookie"]);
    if (!URL.canParse(location, read.url)) return { ok: false, reason: "bad_url", why: "malformed" };
    target = new URL(location, read.url).href;
  }
  return { ok: false, reason: "too_many_redirects" };
}

/**
 * undici restarts its time limit at each interim answer (status 103), and an upstream may send an endless number of
 * those.
 */
async function withFirstByteLimit(
  answering: Promise<PoolAnswer>,
  { connectMs, firstByteMs, signal }: HopOptions & { connectMs: number },
  deadline: { abort(reason: Error): void },
) {
  const late = setTimeout(() => deadline.abort(new FetchTimeout(firstByteMs)), connectMs + firstByteMs);
  try {
    return await abortable(answering, signal, destroyBody);
  } finally {
    clearTimeout(late);
  }
}

type PoolAnswer = Awaited<ReturnType<Pool["request"]>>;

const request = (pool: Pool, url: URL, options: HopOptions) =>
  pool.request({
    method: options.method ?? "GET",
    path: url.pathname + url.search,
    headers: {
      "user-agent": userAgent,
      via: `1.1 ${viaName}`,
      accept: "*/*",
      "accept-encoding": "identity",
      ...options.headers,
    },
    body: options.body ?? null,
    signal: options.signal,
    headersTimeout: options.firstByteMs,
    bodyTimeout: options.idleMs,
  });

const userAgent = "Mozilla/5.0 (compatible; Engawa)";
/**
 * The name of this process in the Via header (RFC 9110, section 7.6.3). A request that carries it was sent by this
 * process, so it is a loop.
 */
const viaName = `engawa-${randomBytes(6).toString("hex")}`;
export const isOurOwnRequest = (via: string | null) => via?.includes(viaName) ?? false;

/** How long short parts of an upstream's body wait for further ones. A live stream is not delayed noticeably. */
const maxHoldMs = 50;

function toSafeResponse(
  { statusCode, headers, body }: PoolAnswer,
  finalUrl: URL,
  reach: UpstreamReach,
  { isConfigured }: FetchOptions,
) {
  reusePieces(body, returnPiece);
  // Some programs write JSON word by word, and an operator may name such a feed.
  joinParts(body, { maxHoldMs, refuse: isConfigured ? undefined : (error) => body.destroy(error) });
  // The parts that came with the headers are joined too.
  const arrived: Buffer | null = body.readableLength > 0 ? body.read() : null;
  if (arrived) body.unshift(arrived);
  return {
    status: statusCode,
    headers,
    body,
    finalUrl,
    reach,
  } satisfies SafeResponse;
}

function destroyBody({ body }: PoolAnswer) {
  body.on("error", () => {}).destroy();
}

const reachOrder: UpstreamReach[] = ["public", "own", "private", "members", "local"];
const mostRestricted = <R extends UpstreamReach>(one: R, other: R): R =>
  reachOrder.indexOf(one) >= reachOrder.indexOf(other) ? one : other;

/** Joins the caller's signal and the total time limit into one signal. `stop` removes the timer and the listener. */
function createDeadline({ signal, totalMs }: FetchOptions) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  const timer = totalMs && setTimeout(() => controller.abort(new FetchTimeout(totalMs)), totalMs);
  return {
    signal: controller.signal,
    abort: (reason: Error) => controller.abort(reason),
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}

export const safeFetch = createSafeFetch({
  privateUpstreams: parsePrivateUpstreams(env.ALLOW_PRIVATE_UPSTREAMS) ?? noPrivateUpstreams,
});
