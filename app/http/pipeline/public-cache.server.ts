import { LRUCache } from "lru-cache";
import { counter } from "#app/platform/metrics.server.ts";
import { kibibytes, seconds } from "#app/platform/units.ts";
import { carriesRestrictedSession, carriesSession } from "../access/session-cookie.server.ts";
import type { AnswerState, Limiter } from "../context.server.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import type { Sharing } from "../sharing.ts";
import type { Answer } from "./answer.server.ts";
import { flattenHeaders } from "./answer.server.ts";
import {
  chooseEncoding,
  compressBytes,
  type Encoding,
  isCompressible,
  isWorthCompressing,
  matchesTag,
  tagFor,
} from "./content-encoding.server.ts";
import { addHeaders, corsHeaders, corsReader } from "./cors.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";

/**
 * Keeps answers that a route declared the same for everybody, and repeats them from memory while they are fresh. A hit
 * does what the route would do for this client: it charges the route's limiter, compares tags and renews Expires.
 */

type Variant = { body: Buffer | string; tag: string; full: string[]; notModified: string[] };

type Entry = {
  bytes: Buffer;
  tag: string;
  /** Without the headers that depend on the encoding or on the time. */
  headers: Headers;
  canCompress: boolean;
  lifetimeMs: number;
  sendsExpires: boolean;
  /** The text of Expires in this second: to write a date takes as long as the rest of a hit. */
  expires?: { second: number; text: string };
  staleAt: number;
  limiter: Limiter | undefined;
  isForSessionless: boolean;
  sharing: Sharing;
  variants: Map<Encoding | "identity", Variant | Promise<Variant>>;
};

/** The limiter of the entry's route refuses this client. */
export type Refused = { refusal: Response; sharing: Sharing };

type NewEntry = {
  incoming: IncomingRequest;
  /** The generation when the route began. An answer begun before `clear` is outdated and is not kept. */
  since: number;
  headers: Headers;
  bytes: Buffer;
  answerState: AnswerState;
  sharing: Sharing;
};

type Charged = { headers: Record<string, string>; refusal?: Response };
type Charge = (limiter: Limiter, address: string) => Charged | Promise<Charged>;

type Options = { maxBytes: number; maxEntryBytes: number; charge: Charge };

export type PublicCache = ReturnType<typeof createPublicCache>;

const lookups = counter("public_cache_lookups_total", "Public answers asked of the cache", ["result"]);
// prom-client builds a key for every call with labels.
const hits = lookups.labels({ result: "hit" });

/** A body up to this size is a string, which Node joins with the headers: one write, though measured to be no faster. */
const maxJoinedBytes = kibibytes(16);

/** Headers that each hit writes anew. The adapter adds Date. */
const renewedHeaders = /^(?:age|content-encoding|content-length|date|etag|expires|x-ratelimit-.*)$/;

export function createPublicCache({ maxBytes, maxEntryBytes, charge }: Options) {
  // The doubled length leaves room for the compressed variants, which are added to an entry later.
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: (entry, key) => entry.bytes.byteLength * 2 + key.length * 2 + 2048,
  });
  let generation = 0;

  function find(incoming: IncomingRequest): Answer | Refused | Promise<Answer | Refused> | undefined {
    const key = keyOf(incoming);
    const entry = key === undefined ? undefined : entries.get(key);
    if (!entry || entry.staleAt <= performance.now()) {
      if (key !== undefined) lookups.inc({ result: entry ? "stale" : "miss" });
      return undefined;
    }
    if (entry.isForSessionless && carriesSession(incoming.headers.cookie)) return undefined;
    // Only the route can cut a range.
    if (incoming.headers.range !== undefined && entry.headers.has("Accept-Ranges")) return undefined;
    hits.inc();
    const charged = entry.limiter === undefined ? undefined : charge(entry.limiter, incoming.address);
    return charged instanceof Promise
      ? charged.then((done) => answerFrom(incoming, entry, done))
      : answerFrom(incoming, entry, charged);
  }

  function answerFrom(incoming: IncomingRequest, entry: Entry, charged: Charged | undefined) {
    if (charged?.refusal) return { refusal: charged.refusal, sharing: entry.sharing };
    const encoding = entry.canCompress ? chooseEncoding(incoming.headers["accept-encoding"]) : undefined;
    const variant = entry.variants.get(encoding ?? "identity") ?? addVariant(entry, encoding);
    const answerWith = (ready: Variant) => answer(incoming, entry, ready, charged?.headers);
    return variant instanceof Promise ? variant.then(answerWith) : answerWith(variant);
  }

  function keep(found: NewEntry) {
    const { incoming, since, headers, bytes, answerState } = found;
    const key = incoming.method === "GET" && since === generation ? keyOf(incoming) : undefined;
    const lifetimeMs = Math.min(
      lifetimeOf(headers),
      answerState.cache?.keptForMs ?? Number.POSITIVE_INFINITY,
    );
    const isTooLarge = bytes.byteLength > maxEntryBytes;
    if (key === undefined || lifetimeMs === 0 || isTooLarge || !isKeepable(headers, answerState)) return;
    entries.set(key, entryOf(found, lifetimeMs));
  }

  function clear() {
    generation++;
    entries.clear();
  }

  return { find, keep, clear, generation: () => generation, bytes: () => entries.calculatedSize };
}

function entryOf(
  { incoming, headers: sent, bytes, answerState, sharing }: NewEntry,
  lifetimeMs: number,
): Entry {
  return {
    bytes,
    tag: sent.get("ETag") ?? "",
    headers: headersToKeep(incoming, sent, sharing),
    canCompress: isCompressible(sent.get("Content-Type")) && isWorthCompressing(bytes.byteLength),
    lifetimeMs,
    sendsExpires: sent.has("Expires"),
    staleAt: performance.now() + lifetimeMs,
    limiter: answerState.limiter,
    isForSessionless: answerState.cache?.isForSessionless ?? false,
    sharing,
    variants: new Map(),
  };
}

/** Undefined if the cache may not answer this request. */
function keyOf(incoming: IncomingRequest): string | undefined {
  const { method, origin, path, query, headers } = incoming;
  if ((method !== "GET" && method !== "HEAD") || headers.authorization !== undefined) return undefined;
  if (carriesRestrictedSession(headers.cookie)) return undefined;
  // In local mode routes may show more to a client on this machine.
  const machine = incoming.isFromOwnMachine() ? "this machine " : "";
  return `${machine}${corsReader(headers.origin)} ${origin}${path}?${canonicalQuery(query)}`;
}

/** Sorts by name, since the order of names has no meaning. The order of values under one name is kept. */
function canonicalQuery(query: string) {
  if (query.length < 2) return "";
  const parsed = new URLSearchParams(query);
  parsed.sort();
  return parsed.toString();
}

function isKeepable(headers: Headers, { hasUnknownParameters = false }: AnswerState) {
  // A document holds a nonce, which protects only if it is new for each answer.
  return (
    !hasUnknownParameters &&
    !headers.has("Set-Cookie") &&
    !headers.get("Content-Type")?.startsWith("text/html")
  );
}

function lifetimeOf(headers: Headers) {
  const control = headers.get("Cache-Control") ?? "";
  const age = /\bs-maxage=(\d+)/.exec(control) ?? /\bmax-age=(\d+)/.exec(control);
  return /\b(?:no-store|private|no-cache)\b/.test(control) ? 0 : seconds(Number(age?.[1] ?? 0));
}

function headersToKeep({ method, origin, headers: asked }: IncomingRequest, sent: Headers, sharing: Sharing) {
  const headers = new Headers();
  for (const [name, value] of sent) if (!renewedHeaders.test(name)) headers.append(name, value);
  setSecurityHeaders(headers, origin, "");
  addHeaders(headers, corsHeaders({ method, origin: asked.origin, sharing }));
  return headers;
}

function addVariant(entry: Entry, encoding: Encoding | undefined): Variant | Promise<Variant> {
  const name = encoding ?? "identity";
  if (!encoding) {
    const identity = variantOf(entry, entry.bytes, undefined);
    entry.variants.set(name, identity);
    return identity;
  }
  const pending = compressBytes(entry.bytes, encoding, { thorough: true }).then((bytes) => {
    const ready = variantOf(entry, bytes, encoding);
    entry.variants.set(name, ready);
    return ready;
  });
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
  const body = bytes.byteLength <= maxJoinedBytes ? bytes.toString("latin1") : bytes;
  return { body, tag, full: flattenHeaders(headers), notModified: flattenHeaders(withoutBody) };
}

function answer(
  incoming: IncomingRequest,
  entry: Entry,
  variant: Variant,
  limit: Record<string, string> = {},
): Answer {
  const isUnchanged = matchesTag(incoming.headers["if-none-match"], variant.tag);
  const headers = isUnchanged ? [...variant.notModified] : [...variant.full];
  if (entry.sendsExpires) headers.push("Expires", expiresOf(entry));
  for (const name in limit) headers.push(name, limit[name] ?? "");
  const body = isUnchanged || incoming.method === "HEAD" ? null : variant.body;
  return { status: isUnchanged ? 304 : 200, headers, body, source: "cache" };
}

function expiresOf(entry: Entry) {
  const second = Math.trunc((Date.now() + entry.lifetimeMs) / 1000);
  if (entry.expires?.second !== second)
    entry.expires = { second, text: new Date(second * 1000).toUTCString() };
  return entry.expires.text;
}
