import { createFairLru } from "#app/platform/cache/fair-lru.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { seconds } from "#app/platform/units.ts";
import type { AnswerState, Limiter } from "../context.server.ts";
import type { Charged } from "../guards/rate-limit.server.ts";
import { carriesRestrictedSession, carriesSession } from "../guards/session-cookie.server.ts";
import { isReading } from "../methods.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import type { Sharing } from "../sharing.ts";
import { type Answer, flattenHeaders } from "./answer.server.ts";
import {
  chooseEncoding,
  compressBytes,
  type Encoding,
  isCompressible,
  isWorthCompressing,
  matchesTag,
  tagFor,
  varyByEncoding,
} from "./content-encoding.server.ts";
import { addHeaders, corsHeaders, corsReader } from "./cors.server.ts";
import type { InlineSources } from "./inline-sources.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";

/**
 * Caches answers that a route declared the same for everybody, and pages that are the same for many visitors. A hit
 * does what the route would do for this client: it charges the route's limiter, compares tags and renews Expires.
 */

type Variant = { body: Buffer; tag: string; full: string[]; notModified: string[] };

type Entry = {
  bytes: Buffer;
  tag: string;
  /** The headers that depend neither on the encoding nor on the time. */
  headers: Headers;
  canCompress: boolean;
  /** How long browsers may keep the answer, if it has an Expires header. The cache itself may keep it for a shorter time. */
  expiresInMs: number | undefined;
  /** The text of Expires for this second. Formatting a date takes as long as the rest of a hit. */
  expires?: { second: number; text: string };
  staleAt: number;
  limiter: Limiter | undefined;
  isForSessionless: boolean;
  /** False for pages, which send no rate limit headers. */
  tellsLimit: boolean;
  sharing: Sharing;
  variants: Map<Encoding | "identity", Variant | Promise<Variant>>;
};

/** The limiter of the entry's route refuses this client. */
export type CacheRefusal = { refusal: Response; sharing: Sharing };

type NewEntry = {
  incoming: IncomingRequest;
  /** The generation when the route began. An answer that began before `clear` is outdated and is not stored. */
  since: number;
  headers: Headers;
  bytes: Buffer;
  inline: InlineSources;
  answerState: AnswerState;
  sharing: Sharing;
};

export type Compress = (encoding: Encoding) => Promise<Buffer>;

type Charge = (limiter: Limiter, ip: string) => Charged | Promise<Charged>;

type Options = { maxBytes: number; maxEntryBytes: number; charge: Charge; visitorKeyOf: VisitorKeyOf };

export type PublicCache = ReturnType<typeof createPublicCache>;

const lookups = counter("public_cache_lookups_total", "Public answers asked of the cache", ["result"]);
// prom-client builds a key for every call of `labels`, so it is called once.
const hits = lookups.labels({ result: "hit" });

const maxPageAgeMs = seconds(60);

/** Headers that each hit writes anew. The adapter adds Date. */
const renewedHeaders = /^(?:age|content-encoding|content-length|date|etag|expires|x-ratelimit-.*)$/;

/** The doubled length reserves room for the compressed variants, which are added later. */
const sizeOf = (entry: Entry, key: string) => entry.bytes.byteLength * 2 + key.length * 2 + 2048;

export function createPublicCache({ maxBytes, maxEntryBytes, charge, visitorKeyOf }: Options) {
  const entries = createFairLru<Entry>({ maxSize: maxBytes, sizeOf });
  const pageKeyOf = pageKeysBy(visitorKeyOf);
  let generation = 0;

  function find(
    incoming: IncomingRequest,
  ): Answer | CacheRefusal | Promise<Answer | CacheRefusal> | undefined {
    const key = keyOf(incoming);
    if (key === undefined) return undefined;
    const client = ipBlockOf(incoming.ip);
    const entry = entries.get(key, client) ?? entries.get(pageKeyOf(incoming, key) ?? key, client);
    if (!entry || entry.staleAt <= performance.now()) {
      lookups.inc({ result: entry ? "stale" : "miss" });
      return undefined;
    }
    if (entry.isForSessionless && carriesSession(incoming.headers.cookie)) return undefined;
    // Only the route can cut a range.
    if (incoming.headers.range !== undefined && entry.headers.has("Accept-Ranges")) return undefined;
    hits.inc();
    const charged = entry.limiter === undefined ? undefined : charge(entry.limiter, incoming.ip);
    return charged instanceof Promise
      ? charged.then((done) => answerFrom(incoming, entry, done))
      : answerFrom(incoming, entry, charged);
  }

  function answerFrom(incoming: IncomingRequest, entry: Entry, charged: Charged | undefined) {
    if (charged?.refusal) return { refusal: charged.refusal, sharing: entry.sharing };
    const encoding = entry.canCompress ? chooseEncoding(incoming.headers["accept-encoding"]) : undefined;
    const variant = entry.variants.get(encoding ?? "identity") ?? addVariant(entry, encoding);
    const limit = entry.tellsLimit ? charged?.headers : undefined;
    const answerWith = (ready: Variant) => answer(incoming, entry, ready, limit);
    return variant instanceof Promise ? variant.then(answerWith) : answerWith(variant);
  }

  /**
   * Stores an answer. Returns the function that compresses the stored bytes, so that the first answer has the same
   * bytes as later ones: a strong tag names exact bytes.
   */
  function store(found: NewEntry): Compress | undefined {
    const { incoming, since, headers, bytes, answerState } = found;
    const isInTime = incoming.method === "GET" && since === generation;
    const key = !isInTime ? undefined : answerState.isForManyVisitors ? pageKeyOf(incoming) : keyOf(incoming);
    const lifetimeMs = lifetimeFor(headers, answerState);
    const isTooLarge = bytes.byteLength > maxEntryBytes;
    if (key === undefined || lifetimeMs === 0 || isTooLarge) return undefined;
    const entry = entryOf(found, lifetimeMs);
    entries.set(key, entry, ipBlockOf(incoming.ip));
    return compressOnce(entry);
  }

  function clear() {
    generation++;
    entries.clear();
  }

  const { has, size: bytes } = entries;
  return { find, store, clear, pageKeyOf, has, bytes, generation: () => generation };
}

function entryOf(
  { incoming, headers: sent, bytes, inline, answerState, sharing }: NewEntry,
  lifetimeMs: number,
): Entry {
  return {
    bytes,
    tag: sent.get("ETag") ?? "",
    headers: storedHeaders(incoming, sent, { inline, sharing }),
    canCompress: isCompressible(sent.get("Content-Type")) && isWorthCompressing(bytes.byteLength),
    expiresInMs: sent.has("Expires") ? lifetimeOf(sent) : undefined,
    staleAt: performance.now() + lifetimeMs,
    limiter: answerState.limiter,
    isForSessionless: answerState.cache?.isForSessionless ?? false,
    tellsLimit: !answerState.isForManyVisitors,
    sharing,
    variants: new Map(),
  };
}

function isCacheable(headers: Headers, answerState: AnswerState) {
  const { hasUnknownParameters = false, isForManyVisitors = false, isNeverCached = false } = answerState;
  // Any other document contains a nonce, which protects only if it is new in each answer.
  const isOwnDocument = !isForManyVisitors && headers.get("Content-Type")?.startsWith("text/html");
  return !hasUnknownParameters && !isNeverCached && !isOwnDocument && !headers.has("Set-Cookie");
}

function lifetimeFor(headers: Headers, answerState: AnswerState): number {
  if (!isCacheable(headers, answerState)) return 0;
  if (answerState.isForManyVisitors) return maxPageAgeMs;
  return Math.min(lifetimeOf(headers), answerState.cache?.cachedForMs ?? Number.POSITIVE_INFINITY);
}

function lifetimeOf(headers: Headers) {
  const control = headers.get("Cache-Control") ?? "";
  const age = /\bs-maxage=(\d+)/.exec(control) ?? /\bmax-age=(\d+)/.exec(control);
  return /\b(?:no-store|private|no-cache)\b/.test(control) ? 0 : seconds(Number(age?.[1] ?? 0));
}

function storedHeaders(
  { method, origin, headers: requestHeaders }: IncomingRequest,
  sent: Headers,
  { inline, sharing }: Pick<NewEntry, "inline" | "sharing">,
) {
  const headers = new Headers();
  for (const [name, value] of sent) if (!renewedHeaders.test(name)) headers.append(name, value);
  setSecurityHeaders(headers, origin, inline);
  addHeaders(headers, corsHeaders({ method, origin: requestHeaders.origin, sharing }));
  varyByEncoding(headers);
  return headers;
}

const compressOnce =
  (entry: Entry): Compress =>
  async (encoding) =>
    (await (entry.variants.get(encoding) ?? addVariant(entry, encoding))).body;

function addVariant(entry: Entry, encoding: Encoding | undefined): Variant | Promise<Variant> {
  const name = encoding ?? "identity";
  if (!encoding) {
    const identity = variantOf(entry, entry.bytes, undefined);
    entry.variants.set(name, identity);
    return identity;
  }
  const pending = compressBytes(entry.bytes, encoding, { thorough: true }).then(
    (bytes) => {
      const ready = variantOf(entry, bytes, encoding);
      entry.variants.set(name, ready);
      return ready;
    },
    (error: unknown) => {
      // The next request tries again.
      entry.variants.delete(name);
      throw error;
    },
  );
  entry.variants.set(name, pending);
  return pending;
}

function variantOf(entry: Entry, bytes: Buffer, encoding: Encoding | undefined): Variant {
  const headers = new Headers(entry.headers);
  const tag = tagFor(entry.tag, encoding);
  headers.set("ETag", tag);
  const withoutBody = new Headers(headers);
  withoutBody.delete("Content-Type");
  headers.set("Content-Length", String(bytes.byteLength));
  if (encoding) headers.set("Content-Encoding", encoding);
  return { body: bytes, tag, full: flattenHeaders(headers), notModified: flattenHeaders(withoutBody) };
}

function answer(
  incoming: IncomingRequest,
  entry: Entry,
  variant: Variant,
  limit: Record<string, string> = {},
): Answer {
  const isUnchanged = matchesTag(incoming.headers["if-none-match"], variant.tag);
  const headers = isUnchanged ? [...variant.notModified] : [...variant.full];
  if (entry.expiresInMs !== undefined) headers.push("Expires", expiresOf(entry, entry.expiresInMs));
  for (const name in limit) headers.push(name, limit[name] ?? "");
  const body = isUnchanged || incoming.method === "HEAD" ? null : variant.body;
  return { status: isUnchanged ? 304 : 200, headers, body, source: "cache" };
}

function expiresOf(entry: Entry, expiresInMs: number) {
  const second = Math.trunc((Date.now() + expiresInMs) / 1000);
  if (entry.expires?.second !== second)
    entry.expires = { second, text: new Date(second * 1000).toUTCString() };
  return entry.expires.text;
}

/**
 * Returns a key for what the pages of a visitor depend on, in the cookies and in the languages that the browser asks for.
 * Null if this visitor's pages are not cached.
 */
type VisitorKeyOf = (
  headers: Pick<IncomingRequest["headers"], "cookie" | "accept-language">,
) => string | null;

/** Longer queries of pages are seldom requested twice. */
const maxPageQueryLength = 500;

/** The key of the page that this visitor gets, if it is the same for many visitors. */
const pageKeysBy =
  (visitorKeyOf: VisitorKeyOf) =>
  (incoming: IncomingRequest, key = keyOf(incoming)): string | undefined => {
    const { cookie } = incoming.headers;
    if (key === undefined || incoming.query.length > maxPageQueryLength || carriesSession(cookie))
      return undefined;
    const visitor = visitorKeyOf(incoming.headers);
    return visitor === null ? undefined : `page ${visitor}${key}`;
  };

/** The cache is asked before a request waits for its client's turn, so it must not parse a query of 16 KiB. */
export const maxCachedQueryLength = 2000;

/** Undefined if the cache may not answer this request. */
function keyOf(incoming: IncomingRequest): string | undefined {
  const { method, origin, path, query, headers } = incoming;
  if (query.length > maxCachedQueryLength) return undefined;
  if (!isReading(method) || headers.authorization !== undefined) return undefined;
  if (carriesRestrictedSession(headers.cookie)) return undefined;
  return `${machineOf(incoming)}${corsReader(headers.origin)} ${origin}${path}?${canonicalQuery(query)}`;
}

/** Both facts about this machine that routes read: in local mode they may show more to a client on it. */
function machineOf(incoming: IncomingRequest) {
  if (incoming.isFromOwnMachine()) return "this machine ";
  return incoming.mayReachLoopback() ? "this machine, from another site " : "";
}

/** Sorts by name, since the order of names has no meaning. Values of the same name keep their order. */
function canonicalQuery(query: string) {
  if (query.length < 2) return "";
  const parsed = new URLSearchParams(query);
  parsed.sort();
  return parsed.toString();
}
