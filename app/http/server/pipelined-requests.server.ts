import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";

/**
 * Starts a request when the previous answer on its connection is complete. Node would start all requests that a client
 * sends at once, and hold all their answers in memory until the first one is sent.
 */

/**
 * At this many waiting requests the connection is no longer read. Up to 64 KiB that Node has already read still arrive.
 */
const maxReadAhead = 8;
/** For requests that wait behind another request of their connection. */
const shares = {
  total: memoryPlan.waitingRequests,
  perClient: Math.ceil(memoryPlan.waitingRequests / 2),
};
const maxWaitingPerConnection = 256;

/**
 * Node closes a connection after some answers, such as one of unknown length to a client of HTTP/1.0. It never closes
 * the responses to further requests, so they would hold their places for ever.
 */
const isClosing = (socket: Socket) => !socket.writable;

type Waiting = { response: ServerResponse; giveBack(): void; begin(): void };

export function createRequestTurns() {
  const { take, mayTake } = createFairShare(shares);
  const connections = new WeakMap<Socket, Waiting[]>();
  let busyConnections = 0;
  const countRefusal = createRefusalCounter(
    "pipelined",
    "A client sent too many requests on one connection without waiting for answers, so the connection was closed",
  );

  function start({ response, begin }: Pick<Waiting, "response" | "begin">, socket: Socket) {
    response.once("close", () => startNext(socket));
    begin();
  }

  function startNext(socket: Socket) {
    const waiting = connections.get(socket) ?? [];
    const next = waiting.shift();
    if (!next || isClosing(socket)) {
      connections.delete(socket);
      busyConnections--;
      for (const { giveBack } of next ? [next, ...waiting] : waiting) giveBack();
      return;
    }
    next.giveBack();
    if (waiting.length < maxReadAhead) socket.resume();
    start(next, socket);
  }

  return {
    isBusy: (socket: Socket) => connections.has(socket),
    busyConnections: () => busyConnections,
    /** False if so many requests of this client wait that a new connection should not add more. */
    mayConnect: (client: string) => mayTake(client, Math.ceil(shares.perClient / 2)),
    /** Calls `begin` when it is this request's turn. */
    waitForTurn(
      request: IncomingMessage,
      response: ServerResponse,
      { client, begin }: { client: () => string; begin: () => void },
    ) {
      const { socket } = request;
      if (isClosing(socket)) return;
      const waiting = connections.get(socket);
      if (!waiting) {
        connections.set(socket, []);
        busyConnections++;
        return start({ response, begin }, socket);
      }
      const giveBack = waiting.length < maxWaitingPerConnection ? take(client()) : null;
      if (!giveBack) {
        if (!socket.destroyed) countRefusal();
        socket.destroy();
        return;
      }
      waiting.push({ response, giveBack, begin });
      if (waiting.length >= maxReadAhead) socket.pause();
    },
  };
}
