import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { kibibytes, seconds } from "#app/platform/units.ts";
import { announcesBody, isWaitingForContinue } from "./incoming-body.server.ts";

/**
 * Answers 408 and closes the connection if a body arrives too slowly. Without this limit, a client that announces a
 * body and sends one byte now and then would hold a connection and a request for minutes.
 */

export type BodyDeadline = {
  /** How long a client may send nothing before its body is complete. */
  maxSilenceMs: number;
  /** After this time a body needs `minBytesPerSecond` on average. A short body on a bad line arrives before that. */
  graceMs: number;
  minBytesPerSecond: number;
};

/** A phone that sends 64 MiB at 2 Mbit/s is 200 times as fast as this minimum. */
const defaultDeadline: BodyDeadline = {
  maxSilenceMs: seconds(30),
  graceMs: seconds(30),
  minBytesPerSecond: kibibytes(1),
};

type OpenBody = {
  request: IncomingMessage;
  response: ServerResponse;
  /** `bytesRead` of the socket when its turn began, and at the last check. */
  firstBytes: number;
  lastBytes: number;
  /** How long the server has waited for the client, in total and since the last byte. */
  waitedMs: number;
  silentMs: number;
};

const timeoutError = () =>
  Object.assign(new Error("the body arrives too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

/**
 * One timer checks all bodies. The socket's own timeout does not work, because the requests of a connection share it
 * and each one would extend it for the others. Tests change the deadline.
 */
export function createBodyDeadlines(changed: Partial<BodyDeadline> = {}) {
  const deadline = { ...defaultDeadline, ...changed };
  const bodies = new Set<OpenBody>();
  const lookEveryMs = Math.min(seconds(1), deadline.maxSilenceMs / 5);
  const countRefusal = createRefusalCounter(
    "slow_body",
    "Bodies of requests arrived too slowly, so the requests were ended with 408",
  );
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = 0;

  function look() {
    const now = performance.now();
    const passedMs = now - lookedAt;
    lookedAt = now;
    for (const body of bodies) {
      if (hasEnded(body)) bodies.delete(body);
      else if (isTooSlow(body, passedMs, deadline)) {
        bodies.delete(body);
        countRefusal();
        end(body);
      }
    }
    if (bodies.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return function watchBody(request: IncomingMessage, response: ServerResponse) {
    if (!announcesBody(request)) return;
    // Most bodies arrive together with their headers and need no check.
    setImmediate(() => {
      const { bytesRead } = request.socket;
      const body = {
        request,
        response,
        firstBytes: bytesRead,
        lastBytes: bytesRead,
        waitedMs: 0,
        silentMs: 0,
      };
      if (hasEnded(body)) return;
      bodies.add(body);
      if (timer !== undefined) return;
      lookedAt = performance.now();
      timer = setInterval(look, lookEveryMs).unref();
    });
  };
}

const hasEnded = ({ request }: OpenBody) => request.complete || request.socket.destroyed;

function isTooSlow(
  body: OpenBody,
  passedMs: number,
  { maxSilenceMs, graceMs, minBytesPerSecond }: BodyDeadline,
) {
  const { request, response, firstBytes, lastBytes } = body;
  const { bytesRead } = request.socket;
  body.lastBytes = bytesRead;
  // The client is not at fault if Node reads no more because the route has not read what arrived, or if the route has not
  // asked for the body with 100 Continue.
  if (request.readableLength >= request.readableHighWaterMark || isWaitingForContinue(request, response)) {
    body.silentMs = 0;
    return false;
  }
  body.waitedMs += passedMs;
  body.silentMs = bytesRead > lastBytes ? 0 : body.silentMs + passedMs;
  const neededBytes = ((body.waitedMs - graceMs) / 1000) * minBytesPerSecond;
  return body.silentMs > maxSilenceMs || bytesRead - firstBytes < neededBytes;
}

function end({ request: { socket }, response }: OpenBody) {
  if (response.writableFinished) socket.destroy();
  else (socket as Socket & { server?: Server }).server?.emit("clientError", timeoutError(), socket);
}
