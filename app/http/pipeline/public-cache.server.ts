import { LRUCache } from "lru-cache";
import { counter } from "#app/platform/metrics.server.ts";
import { seconds } from "#app/platform/units.ts";
import { carriesSession } from "../access/session-cookie.server.ts";
import type { AnswerNotes, Limiter } from "../context.server.ts";
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
 * Answers that a route declared the same for everybody, given again from memory while they are fresh. A hit does
 * all that the route would have done for this client: it counts against the route's limiter, compares tags, and
 * dates itself anew.
 */

type Variant = { bytes: Buffer; tag: string; full: string[]; notModified: string[] };

type Entry = {
  bytes: Buffer;
  tag: string;
  /** All but what depends on the encoding or on the moment. */
  headers: Headers;
  encodings: boolean;
  lifetimeMs: number;
  sendsExpires: boolean;
  staleAt: number;
  limiter: Limiter | undefined;
  isForSessionless: boolean;
  sharing: Sharing;
  variants: Map<Encoding | "identity", Variant | Promise<Variant>>;
};

/** The entry's limiter refuses this client. */
export type Refused = { refusal: Response; sharing: Sharing };

type Kept = {
  arrival: IncomingRequest;
  /** The generation in which the answer was begun: one begun before a change is not kept. */
  since: number;
  headers: Headers;
  bytes: Buffer;
  notes: AnswerNotes;
  sharing: Sharing;
};

type Charged = { headers: Record<string, string>; refusal?: Response };
type Charge = (limiter: Limiter, address: string) => Charged | Promise<Charged>;

type Options = { maxBytes: number; maxEntryBytes: number; charge: Charge };

export type PublicCache = ReturnType<typeof createPublicCache>;

const lookups = counter("public_cache_lookups_total", "Public answers asked of the cache", ["result"]);

/** What an answer has anew each time; the adapter adds Date. */
const volatile = /^(?:age|content-encoding|content-length|date|etag|expires|x-ratelimit-.*)$/;

export function createPublicCache({ maxBytes, maxEntryBytes, charge }: Options) {
  // Each entry is charged for its compressed forms as well, which come later.
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: (entry, key) => entry.bytes.byteLength * 2 + key.length * 2 + 2048,
  });
  let generation = 0;

  function find(arrival: IncomingRequest): Answer | Refused | Promise<Answer | Refused> | undefined {
    const key = keyOf(arrival);
    const entry = key === undefined ? undefined : entries.get(key);
    if (!entry || entry.staleAt <= Date.now()) {
      if (key !== undefined) lookups.inc({ result: entry ? "stale" : "miss" });
      return undefined;
    }
    if (entry.isForSessionless && carriesSession(arrival.headers.cookie)) return undefined;
    // The route cuts ranges.
    if (arrival.headers.range !== undefined && entry.headers.has("Accept-Ranges")) return undefined;
    lookups.inc({ result: "hit" });
    const charged = entry.limiter === undefined ? undefined : charge(entry.limiter, arrival.address);
    return charged instanceof Promise
      ? charged.then((settled) => giveTo(arrival, entry, settled))
      : giveTo(arrival, entry, charged);
  }

  function giveTo(arrival: IncomingRequest, entry: Entry, charged: Charged | undefined) {
    if (charged?.refusal) return { refusal: charged.refusal, sharing: entry.sharing };
    const encoding = entry.encodings ? chooseEncoding(arrival.headers["accept-encoding"]) : undefined;
    const variant = entry.variants.get(encoding ?? "identity") ?? addVariant(entry, encoding);
    const give = (ready: Variant) => answer(arrival, entry, ready, charged?.headers);
    return variant instanceof Promise ? variant.then(give) : give(variant);
  }

  function keep({ arrival, since, headers: sent, bytes, notes, sharing }: Kept) {
    const key = arrival.method === "GET" && since === generation ? keyOf(arrival) : undefined;
    const lifetimeMs = Math.min(lifetimeOf(sent), notes.cache?.keptForMs ?? Number.POSITIVE_INFINITY);
    if (key === undefined || lifetimeMs === 0 || !isKeepable(sent) || bytes.byteLength > maxEntryBytes)
      return;
    entries.set(key, {
      bytes,
      tag: sent.get("ETag") ?? "",
      headers: outgoing(arrival, sent, sharing),
      encodings: isCompressible(sent.get("Content-Type")) && isWorthCompressing(bytes.byteLength),
      lifetimeMs,
      sendsExpires: sent.has("Expires"),
      staleAt: Date.now() + lifetimeMs,
      limiter: notes.limiter,
      isForSessionless: notes.cache?.isForSessionless ?? false,
      sharing,
      variants: new Map(),
    });
  }

  function clear() {
    generation++;
    entries.clear();
  }

  return { find, keep, clear, generation: () => generation, bytes: () => entries.calculatedSize };
}

/** Undefined: this request is none of ours. */
function keyOf({ method, origin, path, query, headers }: IncomingRequest): string | undefined {
  if ((method !== "GET" && method !== "HEAD") || headers.authorization !== undefined) return undefined;
  return `${corsReader(headers.origin)} ${origin}${path}?${canonicalQuery(query)}`;
}

/** The order of names means nothing; that of values under one name does, and stays. */
function canonicalQuery(query: string) {
  if (query.length < 2) return "";
  const parsed = new URLSearchParams(query);
  parsed.sort();
  return parsed.toString();
}

function isKeepable(headers: Headers) {
  // A document carries a nonce, which is good for one answer only.
  return !headers.has("Set-Cookie") && !headers.get("Content-Type")?.startsWith("text/html");
}

function lifetimeOf(headers: Headers) {
  const control = headers.get("Cache-Control") ?? "";
  const age = /\bs-maxage=(\d+)/.exec(control) ?? /\bmax-age=(\d+)/.exec(control);
  return /\b(?:no-store|private|no-cache)\b/.test(control) ? 0 : seconds(Number(age?.[1] ?? 0));
}

function outgoing({ method, origin, headers: asked }: IncomingRequest, sent: Headers, sharing: Sharing) {
  const headers = new Headers();
  for (const [name, value] of sent) if (!volatile.test(name)) headers.append(name, value);
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
  return { bytes, tag, full: flattenHeaders(headers), notModified: flattenHeaders(withoutBody) };
}

function answer(
  arrival: IncomingRequest,
  entry: Entry,
  variant: Variant,
  limit: Record<string, string> = {},
): Answer {
  const isHeld = matchesTag(arrival.headers["if-none-match"], variant.tag);
  const headers = isHeld ? [...variant.notModified] : [...variant.full];
  if (entry.sendsExpires) headers.push("Expires", new Date(Date.now() + entry.lifetimeMs).toUTCString());
  for (const name in limit) headers.push(name, limit[name] ?? "");
  const body = isHeld || arrival.method === "HEAD" ? null : variant.bytes;
  return { status: isHeld ? 304 : 200, headers, body, source: "cache" };
}
