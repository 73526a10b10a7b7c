import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { mebibytes, seconds } from "#app/platform/units.ts";
import { webStreamOf } from "./node-body.server.ts";

/** Reads the body of a request only as fast as the route does, and closes the connection if nobody reads it. */

/** More than any route accepts. It protects memory; the routes have lower limits of their own. */
const maxBytes = mebibytes(96);
const tooLarge = new WeakSet<IncomingMessage>();

/** Whether the body was over `maxBytes`, so that its reader got an error. */
export const wasTooLarge = (request: IncomingMessage) => tooLarge.has(request);

const isBodiless = (method: string | undefined) => method === "GET" || method === "HEAD";

export function incomingBody(request: IncomingMessage, response: ServerResponse) {
  const { "content-length": length, "transfer-encoding": transferEncoding, expect } = request.headers;
  if (
    isBodiless(request.method) ||
    (transferEncoding === undefined && (length === undefined || length === "0"))
  )
    return undefined;
  let remainingBytes = maxBytes;
  return webStreamOf(request, {
    destroyOnCancel: false,
    onBytes(count) {
      remainingBytes -= count;
      if (remainingBytes >= 0) return;
      tooLarge.add(request);
      throw new Error("the body is larger than any route takes");
    },
    // A client that sends Expect waits for 100 Continue before it sends its body (RFC 9110, section 10.1.1).
    ...(expect !== undefined && {
      onFirstPull() {
        continued.add(request);
        response.writeContinue();
      },
    }),
  });
}

const continued = new WeakSet<IncomingMessage>();
const isWaitingForContinue = (request: IncomingMessage) =>
  request.headers.expect !== undefined && !continued.has(request);

const timeoutError = () =>
  Object.assign(new Error("the body stopped arriving"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

/**
 * Answers 408 and closes the connection if the client sends nothing for `maxSilenceMs` before its body is complete.
 * Without it, a client that announces a body and sends none holds a connection and a request for minutes.
 */
export function limitBodySilence(request: IncomingMessage, response: ServerResponse, maxSilenceMs: number) {
  const { "content-length": length, "transfer-encoding": transferEncoding } = request.headers;
  if (transferEncoding === undefined && (length === undefined || length === "0")) return;
  const { socket } = request;
  const { server } = socket as { server?: Server };
  const restart = () => socket.setTimeout(maxSilenceMs);
  const stop = () => {
    // With a listener, Node leaves an idle connection open for ever.
    response.off("timeout", onTimeout);
    socket.setTimeout((response.writableFinished ? server?.keepAliveTimeout : server?.timeout) ?? 0);
  };
  const onTimeout = () => {
    // Bytes that the route has not read yet, or a 100 Continue that it has not asked for: the client is not at fault.
    if (request.readableLength > 0 || isWaitingForContinue(request)) restart();
    else server?.emit("clientError", timeoutError(), socket);
  };
  restart();
  request.once("end", stop);
  // Node closes idle connections later than this limit, and begins to count when the answer is sent.
  response.once("finish", () => !request.complete && restart());
  response.on("timeout", onTimeout);
}

/**
 * Node reads the rest by itself only if no route began to read. Bytes that stay unread block the next request on the
 * connection.
 */
function readRest(request: IncomingMessage) {
  request.removeAllListeners("readable");
  request.resume();
}

/** How much of a body is still read after the answer is ready, and for how long. */
const maxLingerBytes = mebibytes(1);
const maxLingerMs = seconds(1);

/**
 * For an answer that is ready before its request has arrived completely. A short rest is read, so that the connection can
 * take the next request. Of a long rest only a little is read, and then the connection closes. Closing at once with
 * unread bytes would make the system reset the connection, and the reset could reach the client before the answer.
 */
export function readBeforeClose(request: IncomingMessage, response: ServerResponse) {
  const { socket } = request;
  if (Number(request.headers["content-length"]) <= maxLingerBytes)
    return void response.once("finish", () => readRest(request));
  response.shouldKeepAlive = false;
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    socket.end();
    let remainingBytes = maxLingerBytes;
    socket.on("data", (chunk: Buffer) => {
      remainingBytes -= chunk.byteLength;
      if (remainingBytes < 0) socket.destroy();
    });
    setTimeout(() => socket.destroy(), maxLingerMs).unref();
  };
}
