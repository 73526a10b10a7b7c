import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorFields, log } from "#app/platform/log.server.ts";
import { kibibytes, minutes, seconds } from "#app/platform/units.ts";
import { type Answer, jsonError } from "../pipeline/answer.server.ts";
import type { Application } from "../pipeline/application.server.ts";
import { incomingBody, readBeforeClose, wasTooLarge } from "./incoming-body.server.ts";
import { type IncomingRequest, readIncomingRequest } from "./incoming-request.server.ts";
import { logAndCountAnswer } from "./request-log.server.ts";
import { discardBody, enforceLength, limitUnsentBytes, writeBody } from "./stream-writing.server.ts";

/** Between node:http and the application: requests in, answers out, and nothing a client sends is fatal. */

export type NodeServerOptions = {
  /** Runs first, as a connect middleware does: Vite's in development. */
  before?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** While true, every answer asks the client to connect anew elsewhere. */
  isDraining?: () => boolean;
  limits?: Partial<typeof defaultLimits>;
};

const defaultLimits = {
  // The whole of a request: 64 MiB at 2 Mbit/s, with some air.
  requestTimeout: minutes(5),
  headersTimeout: seconds(15),
  connectionsCheckingInterval: seconds(5),
  // Longer than the minute after which proxies drop idle upstream connections, so that they close first.
  keepAliveTimeout: seconds(75),
  maxHeaderSize: kibibytes(16),
  highWaterMark: kibibytes(64),
};

export function createNodeServer(application: Application, options: NodeServerOptions = {}): Server {
  const server = createServer({ ...defaultLimits, ...options.limits });
  // Nobody reads or writes for this long: a client that pauses its player still does, a vanished one does not.
  server.timeout = minutes(10);
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const next = () => void serve(application, options, request, response);
    if (options.before) options.before(request, response, next);
    else next();
  };
  server.on("request", listener);
  // "100 Continue" waits until a route reads the body, so that a refusal saves the client the upload.
  server.on("checkContinue", listener);
  server.on("checkExpectation", (_request, response: ServerResponse) =>
    write(response, jsonError(417, "Expectation failed")),
  );
  server.on("clientError", refuseUnreadable);
  server.on("connect", (_request, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(
      "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
  });
  return server;
}

const unreadable: Record<string, [status: number, reason: string, error: string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large", "The body is too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long"],
};

/** What Node's parser gives up on never becomes a request: answered on the socket itself, unless an answer has begun. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex) {
  const { _httpMessage: begun } = socket as { _httpMessage?: ServerResponse };
  if (!socket.writable || begun?.headersSent) return void socket.destroy(error);
  const [status, reason, words] = unreadable[error.code ?? ""] ?? [400, "Bad Request", "Bad request"];
  const { headers, body } = jsonError(status, words, { Connection: "close" });
  const lines = Array.from(
    { length: headers.length / 2 },
    (_, at) => `${headers[2 * at]}: ${headers[2 * at + 1]}`,
  );
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${body}`, () => {
    // Closing at once would take the answer from a client that is still sending.
    setTimeout(() => socket.destroy(), seconds(1)).unref();
  });
}

/** Requests whose answer has not begun. Past this, waiting helps nobody. */
const maxRequestsUnderWay = 1000;
let underWay = 0;

async function serve(
  application: Application,
  { isDraining }: NodeServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const startedAt = performance.now();
  // Without a listener an error of a socket would end the process.
  response.on("error", () => {});
  if (isDraining?.()) response.shouldKeepAlive = false;
  const arrival = hasOneHost(request) ? arrive(request) : null;
  let answer: Answer;
  underWay++;
  try {
    if (underWay > maxRequestsUnderWay)
      answer = jsonError(503, "Busy, try again shortly", { "Retry-After": "2" });
    else
      answer = arrival
        ? await application.answer(arrival, (url) => openRequest(url, arrival, request, response))
        : jsonError(400, "Bad request");
  } catch (error) {
    log.error("a request failed", errorFields(error));
    answer = jsonError(500, "Internal server error");
  } finally {
    underWay--;
  }
  if (wasTooLarge(request)) {
    discardBody(answer.body);
    answer = jsonError(413, "The body is too large");
  }
  if (arrival) answer.headers.push("X-Request-Id", arrival.requestId);
  logAndCountAnswer({ arrival, method: request.method ?? "", answer, response, startedAt });
  if (!request.complete) readBeforeClose(request, response);
  await write(response, answer);
}

const arrive = (request: IncomingMessage) =>
  readIncomingRequest({
    method: request.method ?? "GET",
    target: request.url ?? "",
    headers: request.headers,
    peerIp: request.socket.remoteAddress ?? "",
    ownHost: `localhost:${request.socket.localPort ?? 80}`,
  });

/** Node keeps the first of several Host headers; the standard wants them refused (RFC 9112, section 3.2). */
function hasOneHost({ rawHeaders }: IncomingMessage) {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts < 2;
}

function openRequest(
  url: string,
  arrival: IncomingRequest,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { rawHeaders } = request;
  const headers: [string, string][] = [["Host", arrival.origin.slice(arrival.origin.indexOf("//") + 2)]];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") headers.push([name, rawHeaders[at + 1] ?? ""]);
  }
  const body = incomingBody(request, response);
  const init = { method: arrival.method, headers, ...(body && { body, duplex: "half" }) };
  const opened = new Request(url, init as RequestInit);
  // A signal handed to the constructor is linked to a second one, which costs more than the rest of it.
  let leaving: AbortController | undefined;
  Object.defineProperty(opened, "signal", {
    get() {
      leaving ??= departure(response);
      return leaving.signal;
    },
  });
  return opened;
}

function departure(response: ServerResponse) {
  const leaving = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) leaving.abort();
  };
  if (response.closed) onClose();
  else response.once("close", onClose);
  return leaving;
}

async function write(response: ServerResponse, { status, headers, body, source }: Answer) {
  if (response.destroyed || response.headersSent) return discardBody(body);
  try {
    response.writeHead(status, headers);
    enforceLength(body, lengthIn(headers), response);
    const writing = writeBody(body, response);
    if (source === "router") limitUnsentBytes(response);
    await writing;
  } catch (error) {
    // The status is gone out already: cutting the connection is how HTTP says that a body is incomplete.
    response.destroy();
    discardBody(body);
    if (!isDeparture(error)) log.warn("an answer broke off", errorFields(error));
  }
}

/** NaN where none is announced. */
function lengthIn(headers: readonly string[]): number {
  const at = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === "content-length");
  return at < 0 ? Number.NaN : Number(headers[at + 1]);
}

const departures = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "ABORT_ERR"]);
const isDeparture = (error: unknown) =>
  error instanceof Error && "code" in error && departures.has(String(error.code));
