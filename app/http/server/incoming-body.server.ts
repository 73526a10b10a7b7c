import type { IncomingMessage, ServerResponse } from "node:http";
import { mebibytes, seconds } from "#app/platform/units.ts";
import { webStreamOf } from "./node-body.server.ts";

/** The body of a request: read only as a route asks for it, and cut off when nobody will. */

/** More than any route takes, form and encoding included. Routes have limits of their own, below it. */
const maxBytes = mebibytes(96);
const tooLarge = new WeakSet<IncomingMessage>();

/** Whether its reader was stopped for the sake of memory. */
export const wasTooLarge = (request: IncomingMessage) => tooLarge.has(request);

const isBodiless = (method: string | undefined) => method === "GET" || method === "HEAD";

export function incomingBody(request: IncomingMessage, response: ServerResponse) {
  const { "content-length": length, "transfer-encoding": coding, expect } = request.headers;
  if (isBodiless(request.method) || (coding === undefined && (length === undefined || length === "0")))
    return undefined;
  let left = maxBytes;
  return webStreamOf(request, {
    destroyOnCancel: false,
    onBytes(count) {
      left -= count;
      if (left >= 0) return;
      tooLarge.add(request);
      throw new Error("the body is larger than any route takes");
    },
    // A client that announced its body waits to be asked for it.
    ...(expect !== undefined && { onFirstPull: () => response.writeContinue() }),
  });
}

/** Node does so by itself only where no route began to read; unread, the rest would stand before the next request. */
function takeRest(request: IncomingMessage) {
  request.removeAllListeners("readable");
  request.resume();
}

/** What may still be in flight when an answer is ready. */
const maxLingerBytes = mebibytes(1);
const maxLingerMs = seconds(1);

/**
 * The answer goes out before its request has come in whole. Little is awaited, so that the connection can serve
 * on; of a large upload no more is read than it takes for the client to see the answer: a connection closed with
 * bytes unread is reset, and the reset may overtake the answer.
 */
export function readBeforeClose(request: IncomingMessage, response: ServerResponse) {
  const { socket } = request;
  if (Number(request.headers["content-length"]) <= maxLingerBytes)
    return void response.once("finish", () => takeRest(request));
  response.shouldKeepAlive = false;
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    socket.end();
    let left = maxLingerBytes;
    socket.on("data", (chunk: Buffer) => {
      left -= chunk.byteLength;
      if (left < 0) socket.destroy();
    });
    setTimeout(() => socket.destroy(), maxLingerMs).unref();
  };
}
