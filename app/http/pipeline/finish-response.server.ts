import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { privateNoStore } from "../cache-policy.server.ts";
import type { AnswerNotes } from "../context.server.ts";
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
  tagFor,
} from "./content-encoding.server.ts";
import { addHeaders, corsHeaders } from "./cors.server.ts";
import { readOnly } from "./page-methods.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";

type Answered = {
  arrival: IncomingRequest;
  response: Response;
  sharing: Sharing;
  notes?: AnswerNotes;
  nonce?: string;
  keep?: (headers: Headers, bytes: Buffer) => void;
};

/** What every answer of a route gets on its way out: security and CORS headers, 304, compression. */
export async function finishAnswer(answered: Answered): Promise<Answer> {
  const { arrival, response, sharing, notes = {}, nonce = "", keep } = answered;
  const headers = changeable(response.headers);
  const nodeBody = moveNodeBody(headers, notes);
  const body = nodeBody ?? (await wholeBody(response, headers, notes));
  if (notes.cache?.isPublic && response.status === 200 && Buffer.isBuffer(body)) {
    if (!headers.has("ETag")) headers.set("ETag", strongTag(body));
    if (!notes.isFromPrivateUpstream) keep?.(headers, body);
  }
  // The router's own: a form posted to a page that has none.
  if (response.status === 405 && !headers.has("Allow")) headers.set("Allow", readOnly);
  if (isForOneViewer(response.status, headers)) headers.set("Cache-Control", privateNoStore.control);
  setSecurityHeaders(headers, arrival.origin, nonce);
  if (!notes.isFromPrivateUpstream)
    addHeaders(headers, corsHeaders({ method: arrival.method, origin: arrival.headers.origin, sharing }));
  const { status, body: sent } = await conditional(arrival, response.status, headers, body);
  if (arrival.method === "HEAD") discardBody(sent);
  return {
    status,
    headers: flattenHeaders(headers),
    body: arrival.method === "HEAD" ? null : sent,
    source: "router",
    isPublic: notes.cache?.isPublic ?? false,
    isFromPrivateUpstream: notes.isFromPrivateUpstream ?? false,
  };
}

/**
 * The router's own form of a page or endpoint (`.data`) comes without the headers of its route, and so may a redirect;
 * what either says can depend on who asks.
 */
const isForOneViewer = (status: number, headers: Headers) =>
  !headers.has("Cache-Control") &&
  ((status > 300 && status < 304) ||
    status === 307 ||
    status === 308 ||
    (headers.get("Content-Type")?.startsWith("text/x-script") ?? false));

/** Those of a redirect or of a fetched answer are frozen; the others need no copy. */
function changeable(headers: Headers) {
  try {
    headers.set("X-Content-Type-Options", "nosniff");
    return headers;
  } catch {
    return new Headers(headers);
  }
}

/** JSON, and what is to be kept, is read whole before it is sent: known length, one write, no stream. */
async function wholeBody(response: Response, headers: Headers, { cache }: AnswerNotes): Promise<Body> {
  const isJson = headers.get("Content-Type")?.startsWith("application/json");
  if (!response.body || !(isJson || cache?.isPublic)) return response.body;
  const bytes = Buffer.from(await response.arrayBuffer());
  headers.set("Content-Length", String(bytes.byteLength));
  return bytes;
}

const strongTag = (bytes: Buffer) =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;

async function conditional(arrival: IncomingRequest, status: number, headers: Headers, body: Body) {
  const asked = arrival.headers["if-none-match"];
  if (status === 304) {
    restoreTag(headers, asked);
    return { status, body: null };
  }
  const encoding = body && negotiate(arrival, headers, body);
  const tag = headers.get("ETag");
  if (tag) headers.set("ETag", tagFor(tag, encoding ?? undefined));
  if (status === 200 && tag && matchesTag(asked, headers.get("ETag") ?? tag)) {
    discardBody(body);
    for (const name of ["Content-Length", "Content-Type"]) headers.delete(name);
    return { status: 304, body: null };
  }
  return { status, body: encoding ? await encode(headers, body, encoding) : body };
}

/** The route compared tags without our suffix; the client gets back the one it holds. */
function restoreTag(headers: Headers, asked: string | undefined) {
  const tag = headers.get("ETag");
  if (!tag || asked?.trim() === "*") return;
  for (const encoding of ["br", "gzip"] as const)
    if (matchesTag(asked, tagFor(tag, encoding))) headers.set("ETag", tagFor(tag, encoding));
}

function negotiate({ headers: asked }: IncomingRequest, headers: Headers, body: Body): Encoding | undefined {
  if (headers.has("Content-Encoding") || !isCompressible(headers.get("Content-Type"))) return undefined;
  if (!headers.get("Vary")?.includes("Accept-Encoding")) headers.append("Vary", "Accept-Encoding");
  // A stream with ranges is media: its length and its parts are those of the bytes as they are.
  if (body instanceof Readable && headers.has("Accept-Ranges")) return undefined;
  if (headers.has("Content-Range") || headers.get("Cache-Control")?.includes("no-transform"))
    return undefined;
  const length = Buffer.isBuffer(body) ? body.byteLength : Number(headers.get("Content-Length") ?? Infinity);
  return isWorthCompressing(length) ? chooseEncoding(asked["accept-encoding"]) : undefined;
}

async function encode(headers: Headers, body: Body, encoding: Encoding): Promise<Body> {
  headers.set("Content-Encoding", encoding);
  if (body === null || Buffer.isBuffer(body)) {
    const bytes = await compressBytes(body ?? Buffer.alloc(0), encoding);
    headers.set("Content-Length", String(bytes.byteLength));
    return bytes;
  }
  headers.delete("Content-Length");
  return compressStream(body, encoding);
}
