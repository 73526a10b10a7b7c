import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { privateNoStore } from "../cache-policy.server.ts";
import type { AnswerState } from "../context.server.ts";
import { busyHeaders } from "../endpoint/error-response.server.ts";
import { carriesRestrictedSession } from "../guards/session-cookie.server.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import { moveNodeBody } from "../server/node-body.server.ts";
import { type Body, discardBody } from "../server/stream-writing.server.ts";
import type { Sharing } from "../sharing.ts";
import { type Answer, flattenHeaders } from "./answer.server.ts";
import {
  chooseEncoding,
  compressBytes,
  compressStream,
  type Encoding,
  isCompressible,
  isWorthCompressing,
  matchesTag,
  strongTag,
  tagFor,
  varyByEncoding,
} from "./content-encoding.server.ts";
import { addHeaders, corsHeaders } from "./cors.server.ts";
import { type InlineSources, sourcesByNonce, withoutNonce } from "./inline-sources.server.ts";
import { readOnlyMethods } from "./page-methods.server.ts";
import type { Compress } from "./public-cache.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";

type RenderedPage = { headers: Headers; bytes: Buffer; inline: InlineSources };
/** Offers the answer to the cache. If it is stored, returns the function that compresses the stored bytes. */
export type Store = (found: RenderedPage) => Compress | undefined;

type RouteAnswer = {
  incoming: IncomingRequest;
  response: Response;
  sharing: Sharing;
  answerState?: AnswerState;
  nonce?: string;
  /** The answer depends on the languages that the browser asks for. */
  variesByLanguage?: boolean;
  store?: Store;
};

/** Turns the response of a route into an answer: adds security and CORS headers, answers 304, compresses. */
export async function finishAnswer(routeAnswer: RouteAnswer): Promise<Answer> {
  const { incoming, response, sharing, answerState = {}, nonce = "", store } = routeAnswer;
  const headers = toMutable(response.headers);
  if (routeAnswer.variesByLanguage) headers.append("Vary", "Accept-Language");
  const nodeBody = moveNodeBody(headers, answerState);
  const { body, inline } = answerState.isForManyVisitors
    ? await readSharedPage(nodeBody ?? response.body, { headers, nonce, answerState })
    : {
        body: nodeBody ?? (await readBufferedBody(response, headers, answerState)),
        inline: sourcesByNonce(nonce),
      };
  // The router answers a post to a page without an action with 405 but without Allow (RFC 9110, section 15.5.6).
  if (response.status === 405 && !headers.has("Allow")) headers.set("Allow", readOnlyMethods);
  // The router drops the headers of what a page's guard or action throws, and of the answer to a refused form.
  if (response.status === 503 && !headers.has("Retry-After"))
    headers.set("Retry-After", busyHeaders["Retry-After"]);
  if (isForOneViewer(response.status, headers)) headers.set("Cache-Control", privateNoStore.control);
  const isForMany = answerState.cache?.isPublic || answerState.isForManyVisitors;
  let compress: Compress | undefined;
  if (isForMany && response.status === 200 && Buffer.isBuffer(body)) {
    if (!headers.has("ETag")) headers.set("ETag", strongTag(body));
    if (!answerState.isFromPrivateUpstream) compress = store?.({ headers, bytes: body, inline });
  }
  const isRestricted = carriesRestrictedSession(incoming.headers.cookie);
  if (isRestricted) forbidCaching(headers);
  setSecurityHeaders(headers, incoming.origin, inline);
  if (!answerState.isFromPrivateUpstream)
    addHeaders(headers, corsHeaders({ method: incoming.method, origin: incoming.headers.origin, sharing }));
  const unfinished = { status: response.status, headers, body, compress };
  const { status, body: sent } = await applyConditions(incoming, unfinished);
  if (incoming.method === "HEAD") discardBody(sent);
  return {
    status,
    headers: flattenHeaders(headers),
    body: incoming.method === "HEAD" ? null : sent,
    source: "router",
    isPage: answerState.isPage ?? false,
    isPublic: !isRestricted && (answerState.cache?.isPublic ?? false),
    isFromPrivateUpstream: answerState.isFromPrivateUpstream ?? false,
  };
}

/**
 * The browser's next session, or a visitor, may see more than the restricted session, so no cache stores this answer.
 */
function forbidCaching(headers: Headers) {
  headers.set("Cache-Control", privateNoStore.control);
  headers.delete("Expires");
}

/**
 * The router sends a page's data (`.data`) without the headers of its route, and a redirect may lack them too. Both can
 * depend on the session, so no cache may store them.
 */
const isForOneViewer = (status: number, headers: Headers) =>
  !headers.has("Cache-Control") &&
  ((status > 300 && status < 304) ||
    status === 307 ||
    status === 308 ||
    (headers.get("Content-Type")?.startsWith("text/x-script") ?? false));

/** Headers of `Response.redirect()` and of fetched responses are immutable, so they need a copy. */
function toMutable(headers: Headers) {
  try {
    headers.set("X-Content-Type-Options", "nosniff");
    return headers;
  } catch {
    return new Headers(headers);
  }
}

/** Reads JSON and public answers whole, so that they have a length, are sent in one write and can be cached. */
async function readBufferedBody(response: Response, headers: Headers, { cache }: AnswerState): Promise<Body> {
  const isJson = headers.get("Content-Type")?.startsWith("application/json");
  if (!response.body || !(isJson || cache?.isPublic)) return response.body;
  const bytes = Buffer.from(await response.arrayBuffer());
  headers.set("Content-Length", String(bytes.byteLength));
  return bytes;
}

type Rendering = { headers: Headers; nonce: string; answerState: AnswerState };

/** A rejected promise in the page's data, as the router writes it. The texts in the data contain no line ends. */
const failedPart = /^E\d+:/m;

/** Reads a page whole and removes the nonce, which would differ in each answer. */
async function readSharedPage(
  body: Buffer | Readable | ReadableStream | null,
  { headers, nonce, answerState }: Rendering,
): Promise<{ body: Body; inline: InlineSources }> {
  const none = { scripts: "", styles: "" };
  if (body === null) return { body, inline: none };
  const read = Buffer.isBuffer(body) ? body : await buffer(body);
  const isDocument = headers.get("Content-Type")?.startsWith("text/html");
  const { bytes, inline } = isDocument ? withoutNonce(read, nonce) : { bytes: read, inline: none };
  if (!isDocument && failedPart.test(read.toString("latin1"))) answerState.isNeverCached = true;
  headers.set("Content-Length", String(bytes.byteLength));
  return { body: bytes, inline };
}

type Unfinished = { status: number; headers: Headers; body: Body; compress: Compress | undefined };

async function applyConditions(incoming: IncomingRequest, unfinished: Unfinished) {
  const { status, headers, body } = unfinished;
  const clientTags = incoming.headers["if-none-match"];
  if (status === 304) {
    restoreTag(headers, clientTags);
    return { status, body: null };
  }
  const encoding = body && chooseBodyEncoding(incoming, headers, body);
  const tag = headers.get("ETag");
  if (tag) headers.set("ETag", tagFor(tag, encoding ?? undefined));
  if (status === 200 && tag && matchesTag(clientTags, headers.get("ETag") ?? tag)) {
    discardBody(body);
    for (const name of ["Content-Length", "Content-Type"]) headers.delete(name);
    return { status: 304, body: null };
  }
  return { status, body: encoding ? await encode(unfinished, encoding) : body };
}

/** The route compared tags without the suffix of the encoding. The 304 must repeat the tag that the client sent. */
function restoreTag(headers: Headers, clientTags: string | undefined) {
  const tag = headers.get("ETag");
  if (!tag || clientTags?.trim() === "*") return;
  for (const encoding of ["br", "gzip"] as const)
    if (matchesTag(clientTags, tagFor(tag, encoding))) headers.set("ETag", tagFor(tag, encoding));
}

function chooseBodyEncoding(
  { headers: requestHeaders }: IncomingRequest,
  headers: Headers,
  body: Body,
): Encoding | undefined {
  if (headers.has("Content-Encoding") || !isCompressible(headers.get("Content-Type"))) return undefined;
  varyByEncoding(headers);
  // A stream with ranges is a media file. Compression would change the bytes that a range counts.
  if (body instanceof Readable && headers.has("Accept-Ranges")) return undefined;
  if (headers.has("Content-Range") || headers.get("Cache-Control")?.includes("no-transform"))
    return undefined;
  const length = Buffer.isBuffer(body) ? body.byteLength : Number(headers.get("Content-Length") ?? Infinity);
  return isWorthCompressing(length) ? chooseEncoding(requestHeaders["accept-encoding"]) : undefined;
}

async function encode({ headers, body, compress }: Unfinished, encoding: Encoding): Promise<Body> {
  headers.set("Content-Encoding", encoding);
  if (body === null || Buffer.isBuffer(body)) {
    const bytes = await (compress?.(encoding) ?? compressBytes(body ?? Buffer.alloc(0), encoding));
    headers.set("Content-Length", String(bytes.byteLength));
    return bytes;
  }
  headers.delete("Content-Length");
  return compressStream(body, encoding);
}
