import type { IncomingMessage, ServerResponse } from "node:http";
import { mebibytes, seconds } from "#app/platform/units.ts";
import { isReading } from "../methods.ts";
import { webStreamOf } from "./node-body.server.ts";

/**
 * Reads the body of a request only as fast as the route does, and closes the connection if the route does not read it.
 */

/** More than any route accepts. This limit protects memory; the routes have lower ones. */
const maxBytes = mebibytes(96);
const tooLarge = new WeakSet<IncomingMessage>();

/** Whether the body was over `maxBytes`, so that reading it failed. */
export const wasTooLarge = (request: IncomingMessage) => tooLarge.has(request);

export function incomingBody(request: IncomingMessage, response: ServerResponse) {
  if (!hasBody(request)) return undefined;
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
    ...(request.headers.expect !== undefined && {
      onFirstPull() {
        continued.add(request);
        response.writeContinue();
      },
    }),
  });
}

const continued = new WeakSet<IncomingMessage>();
/** Once the answer has begun, no 100 Continue follows, and the client must send its body or leave. */
export const isWaitingForContinue = (request: IncomingMessage, response: ServerResponse) =>
  request.headers.expect !== undefined && !continued.has(request) && !response.headersSent;

export const announcesBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || !["0", undefined].includes(headers["content-length"]);

/** Whether the route gets the body: it gets none for GET and HEAD. */
export const hasBody = (request: IncomingMessage) =>
  announcesBody(request) && !isReading(request.method ?? "");

/**
 * Node reads the rest by itself only if the route never began to read. Unread bytes block the next request on the
 * connection.
 */
function readRest(request: IncomingMessage) {
  request.removeAllListeners("readable");
  request.resume();
}

/**
 * How many bytes of a body are still read after the answer is ready, and how long the connection stays open for the
 * answer.
 */
const maxLingerBytes = mebibytes(1);
const maxLingerMs = seconds(3);

/**
 * For an answer that is ready before its body has been read or has arrived. A short rest is read, so that the connection
 * can take the next request. A long rest is read only in part, and the connection closes a few seconds later. Closing
 * at once with unread bytes would make the system reset the connection, and the reset could reach the client before the
 * answer. A client that is still sending, such as a proxy, notices that the server reads no more, and reads the answer.
 */
export function readBeforeClose(request: IncomingMessage, response: ServerResponse, status: number) {
  const { socket } = request;
  const { complete, headers } = request;
  // A busy server closes at once: a client could otherwise hold the connection with a body of one byte a second.
  if (complete || (status !== 503 && Number(headers["content-length"]) <= maxLingerBytes))
    return void response.once("finish", () => readRest(request));
  response.shouldKeepAlive = false;
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    socket.end();
    let remainingBytes = maxLingerBytes;
    socket.on("data", (chunk: Buffer) => {
      remainingBytes -= chunk.byteLength;
      if (remainingBytes < 0) socket.pause();
    });
    setTimeout(() => socket.destroy(), maxLingerMs).unref();
  };
}
