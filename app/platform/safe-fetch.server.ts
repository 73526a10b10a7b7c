import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { Pool } from "undici";
import { env } from "./env.server.ts";
import { defaultLimits, type FetchRefusal, refusalOf, TookTooLong } from "./fetch-refusal.server.ts";
import { type Resolve, type ResolvedAddress, rememberingResolver } from "./name-lookup.server.ts";
import { connectionPools } from "./pinned-pools.server.ts";
import { type Allowance, judgeAddress, nothingAllowed, parseAllowance } from "./private-upstreams.ts";

/**
 * The one door for requests whose address somebody else chose. Every hop is judged by all addresses its name
 * resolves to, and the connection goes to those addresses and no others.
 */

/** `local`: reached only since this request may name loopback upstreams. `own`: read inside this process. */
export type Reach = "public" | "private" | "local" | "own";

export type SafeResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Must be read or destroyed; it fails when the upstream breaks off, stalls, or the signal aborts. */
  body: Readable;
  /** After redirects. */
  finalUrl: URL;
  reach: Reach;
};

export type FetchOutcome = { ok: true; response: SafeResponse } | FetchRefusal;

export type FetchOptions = {
  method?: "GET" | "HEAD";
  /** Chosen by the caller one by one; never those of a client's request. */
  headers?: Partial<Record<"accept" | "accept-encoding" | "range" | "if-range" | "if-none-match", string>>;
  signal?: AbortSignal;
  /** Whether the request at hand may name loopback upstreams (local mode). */
  mayReachLoopback?: boolean;
  /**
   * Asked before every hop, so that the service never connects to itself: a response is read inside the
   * process, `loop` refuses the hop, null lets it go out.
   */
  readOwn?: (url: URL, options: FetchOptions) => Promise<OwnAnswer> | OwnAnswer;
  /** Asked before every hop: whether the operator lets this address be fetched at all. */
  isAllowed?: (url: URL) => boolean;
  firstByteMs?: number;
  idleMs?: number;
  /** From the call to the last byte of the body. */
  totalMs?: number;
};

export type OwnAnswer = (Omit<SafeResponse, "finalUrl" | "reach"> & { reach?: Reach }) | "loop" | null;

type Judgement = { ok: true; reach: "public" | "private" | "local"; addresses: ResolvedAddress[] };
type Judged = Judgement | FetchRefusal;

const redirectsFollowed = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Scheme and credentials, before anything else is looked at. */
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

export function makeSafeFetch(setting: { allowance: Allowance; resolve?: Resolve; connectMs?: number }) {
  const resolve = setting.resolve ?? rememberingResolver();
  const connectMs = setting.connectMs ?? defaultLimits.connectMs;
  const pools = connectionPools(connectMs);

  /** Whether this request may name this upstream; nothing is connected to. */
  async function judge(url: URL, mayReachLoopback = false): Promise<Judged> {
    const literal = url.hostname.startsWith("[") || /^[\d.]+$/.test(url.hostname);
    let addresses: ResolvedAddress[];
    try {
      addresses = literal
        ? [{ address: url.hostname.replace(/^\[|\]$/g, ""), family: url.hostname.startsWith("[") ? 6 : 4 }]
        : await noLongerThan(connectMs, resolve(url.hostname));
    } catch (error) {
      return refusalOf(error);
    }
    let reach: Judgement["reach"] = "public";
    for (const { address } of addresses) {
      const verdict = judgeAddress(url, address, setting.allowance, mayReachLoopback);
      if (!verdict.ok)
        return { ok: false, reason: "refused_address", settingWouldAllow: verdict.settingWouldAllow };
      reach = furthest(reach, verdict.reach);
    }
    if (addresses.length === 0) return { ok: false, reason: "name_not_found" };
    return { ok: true, reach, addresses };
  }

  async function safeFetch(address: string | URL, options: FetchOptions = {}): Promise<FetchOutcome> {
    const clock = stopwatch(options);
    try {
      const outcome = await followed(String(address), { ...options, signal: clock.signal }, clock.abort);
      if (outcome.ok) outcome.response.body.once("close", clock.stop);
      else clock.stop();
      return outcome;
    } catch (error) {
      clock.stop();
      return refusalOf(error, { ...defaultLimits, ...options });
    }
  }

  async function followed(
    address: string,
    options: FetchOptions & { signal: AbortSignal },
    abort: (reason: Error) => void,
  ): Promise<FetchOutcome> {
    let reach: Reach = "public";
    let target = address;
    for (let hop = 0; hop <= redirectsFollowed; hop++) {
      const read = readUpstreamUrl(target);
      if (!read.ok) return read;
      if (options.isAllowed?.(read.url) === false) return { ok: false, reason: "not_allowed" };
      const own = await options.readOwn?.(read.url, options);
      if (own === "loop") return { ok: false, reason: "loop" };
      if (own)
        return {
          ok: true,
          response: { ...own, finalUrl: read.url, reach: furthest(own.reach ?? "own", reach) },
        };
      const judged = await inTime(judge(read.url, options.mayReachLoopback), options.signal);
      if (!judged.ok) return judged;
      reach = furthest(reach, judged.reach);
      const pool = pools.take(read.url, judged.addresses);
      if (!pool) return { ok: false, reason: "busy" };
      const answer = await answerTo(request(pool, read.url, options), options, abort);
      const location = answer.headers.location;
      if (!redirectStatuses.has(answer.statusCode) || typeof location !== "string")
        return { ok: true, response: asResponse(answer, read.url, reach) };
      destroyBody(answer);
      if (!URL.canParse(location, read.url)) return { ok: false, reason: "bad_url", why: "malformed" };
      target = new URL(location, read.url).href;
    }
    return { ok: false, reason: "too_many_redirects" };
  }

  /** undici's own limit begins anew with every interim answer (103), and those may come for ever. */
  async function answerTo(
    asking: Promise<Answer>,
    { firstByteMs = defaultLimits.firstByteMs, signal }: FetchOptions & { signal: AbortSignal },
    abort: (reason: Error) => void,
  ) {
    const late = setTimeout(() => abort(new TookTooLong(firstByteMs)), connectMs + firstByteMs);
    try {
      return await inTime(asking, signal, destroyBody);
    } finally {
      clearTimeout(late);
    }
  }

  return Object.assign(safeFetch, { judge, close: pools.close });
}

/** A look-up cannot be called off, only no longer waited for. */
function noLongerThan<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TookTooLong(limitMs)), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

type Answer = Awaited<ReturnType<Pool["request"]>>;

const request = (pool: Pool, url: URL, options: FetchOptions & { signal: AbortSignal }) =>
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
    signal: options.signal,
    headersTimeout: options.firstByteMs ?? defaultLimits.firstByteMs,
    bodyTimeout: options.idleMs ?? defaultLimits.idleMs,
  });

const userAgent = "Mozilla/5.0 (compatible; Engawa)";
/** This process's name among intermediaries (RFC 9110, 7.6.3): a request that carries it already was ours. */
const viaName = `engawa-${randomBytes(6).toString("hex")}`;
export const isOurOwnRequest = (via: string | null) => via?.includes(viaName) ?? false;

const asResponse = (answer: Answer, finalUrl: URL, reach: Reach): SafeResponse => ({
  status: answer.statusCode,
  headers: answer.headers,
  body: answer.body,
  finalUrl,
  reach,
});

function destroyBody({ body }: Answer) {
  body.on("error", () => {}).destroy();
}

const order: Reach[] = ["public", "own", "private", "local"];
const furthest = <R extends Reach>(one: R, other: R): R =>
  order.indexOf(one) >= order.indexOf(other) ? one : other;

/** The caller's signal and the total time as one signal, undone once the body closes. */
function stopwatch({ signal, totalMs }: FetchOptions) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  const timer = totalMs && setTimeout(() => controller.abort(new TookTooLong(totalMs)), totalMs);
  return {
    signal: controller.signal,
    abort: (reason: Error) => controller.abort(reason),
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}

/** undici and the resolver notice an abort only once they are connected: the caller need not wait for that. */
function inTime<T>(work: Promise<T>, signal: AbortSignal, discard: (late: T) => void = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => {
      work.then(discard, () => {});
      reject(signal.reason);
    };
    if (signal.aborted) return give();
    signal.addEventListener("abort", give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", give));
  });
}

export const safeFetch = makeSafeFetch({
  allowance: parseAllowance(env.ALLOW_PRIVATE_UPSTREAMS) ?? nothingAllowed,
});
