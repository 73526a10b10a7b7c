import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { errorCodeOf } from "#app/platform/error-code.ts";
import { joinParts, tooManyParts } from "#app/platform/joined-parts.server.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import type { ShareLimits } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { kibibytes, minutes, seconds } from "#app/platform/units.ts";
import { type Answer, busyAnswer, jsonError } from "../pipeline/answer.server.ts";
import type { Application } from "../pipeline/application.server.ts";
import { createBodyArrivals, maxShortBodyBytes } from "./arriving-bodies.server.ts";
import { type BodyDeadline, createBodyDeadlines } from "./body-deadline.server.ts";
import { limitConnections } from "./client-connections.server.ts";
import { createFairStart } from "./fair-start.server.ts";
import { announcesBody, incomingBody, readBeforeClose, wasTooLarge } from "./incoming-body.server.ts";
import { type IncomingRequest, readIncomingRequest } from "./incoming-request.server.ts";
import { createRequestTurns } from "./pipelined-requests.server.ts";
import { logAndCountAnswer } from "./request-log.server.ts";
import { admitStream, discardBody, limitUnsentBytes, writeBody } from "./stream-writing.server.ts";

/** Connects node:http to the application. Nothing that a client sends may end the process. */

export type NodeServerOptions = {
  /** A connect middleware that runs first: Vite's in development. */
  before?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  limits?: Partial<typeof defaultLimits>;
  bodyDeadline?: Partial<BodyDeadline>;
  /** Null if connections are not counted. */
  connections?: ShareLimits | null;
};

/** Behind a proxy all connections come from a few addresses, so the proxy must limit them. */
const defaultConnections: ShareLimits | null =
  env.TRUST_PROXY > 0
    ? null
    : { total: Math.max(8192, env.CLIENT_CONNECTIONS), perClient: env.CLIENT_CONNECTIONS };

const defaultLimits = {
  // Enough for an upload of 64 MiB at 2 Mbit/s.
  requestTimeout: minutes(5),
  headersTimeout: seconds(15),
  connectionsCheckingInterval: seconds(5),
  // Proxies close idle upstream connections after a minute. If this server closed them first, proxies would send
  // requests into closed connections.
  keepAliveTimeout: seconds(75),
  maxHeaderSize: kibibytes(16),
  highWaterMark: maxShortBodyBytes,
};

/** `busyConnections` returns how many connections wait for an answer. */
export type NodeServer = Server & { busyConnections(): number };

export function createNodeServer(application: Application, options: NodeServerOptions = {}): NodeServer {
  const server = createServer({ ...defaultLimits, ...options.limits });
  // Closes connections without traffic for this long, since the client is gone. A paused player still reads a little.
  server.timeout = minutes(10);
  const { connections = defaultConnections } = options;
  const watchBody = createBodyDeadlines(options.bodyDeadline);
  const { waitForTurn, isBusy, busyConnections, mayConnect } = createRequestTurns();
  if (connections) limitConnections(server, connections, isBusy);
  const { start, takeWaitMs } = createFairStart(server, mayConnect);
  const waitForBody = createBodyArrivals();
  const parts = { server, options, watchBody, waitForTurn, waitForBody, start, takeWaitMs };
  const listenWith = (answers: Answers) => createListener(answers, parts);
  const listener = listenWith(application);
  server.on("request", listener);
  // Send "100 Continue" only when a route reads the body, so that a refused client need not upload it.
  server.on("checkContinue", listener);
  server.on(
    "checkExpectation",
    listenWith({ ...application, answerFromMemory: () => jsonError(417, "Expectation failed") }),
  );
  server.on("clientError", answerParseError);
  server.on("connect", (_request, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    endWith(
      socket,
      "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
  });
  return Object.assign(server, { busyConnections });
}

const countRefusal = createRefusalCounter(
  "begun",
  "Requests arrive faster than this process can begin with them, so some get 503",
);

type Parts = {
  server: Server;
  options: NodeServerOptions;
  watchBody: ReturnType<typeof createBodyDeadlines>;
  waitForTurn: ReturnType<typeof createRequestTurns>["waitForTurn"];
  waitForBody: ReturnType<typeof createBodyArrivals>;
} & ReturnType<typeof createFairStart>;

function createListener(
  { answerFromMemory, answerFromRouter, answerMalformed }: Answers,
  { server, options, watchBody, waitForTurn, waitForBody, start, takeWaitMs }: Parts,
) {
  return (request: IncomingMessage, response: ServerResponse) => {
    joinParts(request, {
      refuse: (error) =>
        response.writableFinished
          ? request.socket.destroy()
          : server.emit("clientError", error, request.socket),
    });
    const startedAt = performance.now() - takeWaitMs(request.socket);
    const clientOf = (incoming: IncomingRequest | null) =>
      ipBlockOf(incoming?.ip ?? request.socket.remoteAddress ?? "");
    // Headers are read only now, because many requests can wait for their turn, and parsed headers take memory.
    const beginTurn = () => {
      const incoming = hasOneHost(request) ? readIncoming(request, response, startedAt) : null;
      const arrived = { request, response, startedAt, incoming, server };
      prepare(response);
      watchBody(request, response);
      const sendAtOnce = (answer: Answer) => send(answer, arrived);
      if (incoming === null) return sendAtOnce(answerMalformed(request.url ?? ""));
      // An answer from memory costs so little that it is not queued.
      const known = options.before ? undefined : orFailure(() => answerFromMemory(incoming));
      if (known && !(known instanceof Promise)) return sendAtOnce(known);
      const client = clientOf(incoming);
      const open = (url: string) => openRequest(url, incoming, request, response);
      const answer = () =>
        known ?? (options.before && answerFromMemory(incoming)) ?? answerFromRouter(incoming, open);
      const next = () => void sendLater(answer, arrived);
      const begin = () => {
        if (options.before) options.before(request, response, next);
        else next();
      };
      const refuse = () => sendAtOnce(busyAnswer());
      const waitsSince = performance.now();
      const beginInTurn = () => {
        // Limits of time do not count the time that the client takes to send its body.
        incoming.arrivedAt += performance.now() - waitsSince;
        if (start(client, response, begin)) return;
        countRefusal();
        refuse();
      };
      waitForBody(request, response, client, { begin: beginInTurn, refuse });
    };
    waitForTurn(request, response, {
      client: () => clientOf(readIncoming(request, response, startedAt)),
      begin: beginTurn,
    });
  };
}

const parseErrors: Record<string, [status: number, reason: string, error: string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large", "The body is too large"],
  [tooManyParts]: [413, "Payload Too Large", "The body is sent in too many small parts"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long"],
};

/**
 * Node's parser rejected the input, so there is no request. This writes the error to the socket, unless an answer has
 * begun.
 */
function answerParseError(error: NodeJS.ErrnoException, socket: Duplex) {
  const { _httpMessage: startedResponse } = socket as { _httpMessage?: ServerResponse };
  if (!socket.writable || startedResponse?.headersSent) return void socket.destroy(error);
  const [status, reason, errorText] = parseErrors[error.code ?? ""] ?? [400, "Bad Request", "Bad request"];
  const { headers, body } = jsonError(status, errorText, { Connection: "close" });
  const lines = Array.from(
    { length: headers.length / 2 },
    (_, at) => `${headers[2 * at]}: ${headers[2 * at + 1]}`,
  );
  endWith(socket, `HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

/**
 * Sends the last answer of a connection. Closing at once would reset the connection of a client that is still sending,
 * and the client would lose the answer. Without closing, a client that never closes its side would keep the connection
 * for ever.
 */
function endWith(socket: Duplex, answer: string) {
  socket.end(answer);
  setTimeout(() => socket.destroy(), seconds(1)).unref();
}

type Answers = Pick<Application, "answerFromMemory" | "answerFromRouter" | "answerMalformed">;

type Arrived = {
  request: IncomingMessage;
  response: ServerResponse;
  startedAt: number;
  /** Null if the request is malformed. */
  incoming: IncomingRequest | null;
  server: Server;
};

function prepare(response: ServerResponse) {
  // An error event without a listener would end the process.
  response.on("error", () => {});
  // Node warns of a leak at eleven listeners. A streamed answer has that many from this server and from Node.
  response.setMaxListeners(20);
}

function orFailure<Value>(answer: () => Value): Value | Answer {
  try {
    return answer();
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown) {
  log.error("a request failed", errorFields(error));
  return jsonError(500, "Internal server error");
}

async function sendLater(answer: () => Answer | Promise<Answer>, arrived: Arrived) {
  send(await Promise.resolve().then(answer).catch(failure), arrived);
}

function send(found: Answer, { request, response, startedAt, incoming, server }: Arrived) {
  // The server is stopping, so the client must open its next connection to another instance.
  if (!server.listening) response.shouldKeepAlive = false;
  let answer = found;
  if (wasTooLarge(request)) {
    discardBody(answer.body);
    answer = jsonError(413, "The body is too large");
  }
  const isStream = answer.body !== null && !Buffer.isBuffer(answer.body);
  const onPiece =
    incoming && isStream ? admitStream(response, ipBlockOf(incoming.ip), answer.isPage ?? false) : undefined;
  if (onPiece === null) {
    discardBody(answer.body);
    answer = busyAnswer();
  }
  if (incoming) answer.headers.push("X-Request-Id", incoming.requestId);
  logAndCountAnswer({ incoming, method: request.method ?? "", answer, response, startedAt });
  if (announcesBody(request)) readBeforeClose(request, response, answer.status);
  write(response, answer, incoming?.ip ?? "", onPiece);
}

const readIncoming = (request: IncomingMessage, response: ServerResponse, arrivedAt: number) =>
  readIncomingRequest({
    method: request.method ?? "GET",
    target: request.url ?? "",
    headers: request.headers,
    peerIp: request.socket.remoteAddress ?? "",
    ownHost: `localhost:${request.socket.localPort ?? 80}`,
    arrivedAt,
    signal: abortOnClose(response),
  });

/** Node keeps the first of several Host headers, but such a request must get 400 (RFC 9112, section 3.2). */
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
  incoming: IncomingRequest,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { rawHeaders } = request;
  const headers: [string, string][] = [["Host", incoming.origin.slice(incoming.origin.indexOf("//") + 2)]];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") headers.push([name, rawHeaders[at + 1] ?? ""]);
  }
  const body = incomingBody(request, response);
  const init = { method: incoming.method, headers, ...(body && { body, duplex: "half" }) };
  return new Request(url, init as RequestInit);
}

/** Answers from memory need no signal, so it is made at the first call. */
function abortOnClose(response: ServerResponse): () => AbortSignal {
  let aborter: AbortController | undefined;
  return () => {
    if (aborter) return aborter.signal;
    const made = new AbortController();
    aborter = made;
    const onClose = () => {
      if (!response.writableFinished) made.abort();
    };
    if (response.closed) onClose();
    else response.once("close", onClose);
    return made.signal;
  };
}

function write(
  response: ServerResponse,
  { status, headers, body, source }: Answer,
  ip: string,
  onPiece?: (() => void) | null,
) {
  if (response.destroyed || response.headersSent) return discardBody(body);
  const breakOff = (error: unknown) => {
    // The status is sent, so only a closed connection can tell the client that the body is incomplete (RFC 9112, section 8).
    response.destroy();
    discardBody(body);
    if (!isClientGone(error)) log.warn("an answer could not be sent completely", errorFields(error));
  };
  try {
    response.writeHead(status, headers);
    const client = ipBlockOf(ip);
    const length = body instanceof Readable ? lengthIn(headers) : undefined;
    const writing = writeBody(body, response, { client, length, onPiece });
    // The bytes of static files are always in memory.
    if (source !== "file") limitUnsentBytes(response, client, body);
    writing?.catch(breakOff);
  } catch (error) {
    breakOff(error);
  }
}

/** The announced length, if there is one. */
function lengthIn(headers: readonly string[]): number | undefined {
  const at = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === "content-length");
  return at < 0 ? undefined : Number(headers[at + 1]);
}

const clientGoneCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "ABORT_ERR"]);
const isClientGone = (error: unknown) => clientGoneCodes.has(errorCodeOf(error));
