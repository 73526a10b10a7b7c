import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ipBlockOf, networkOf } from "#app/platform/limits/client-block.ts";
import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";

/**
 * Begins with connections and requests in turns of clients. Node would read all connections with new bytes in one turn of
 * the event loop and begin with all their requests, so everybody else would wait for a thousand requests of one client.
 */

/** To begin with a request takes the router up to two milliseconds. */
const maxBegunPerTurn = 8;
/** While connections arrive, one connection and one request of a client begin in this time. */
const pauseMs = 10;
/** Connections of a client that may not have more yet are tried again after this time. */
const retryMs = 20;
const requestLimits = {
  total: memoryPlan.waitingRequests,
  perClient: Math.ceil(memoryPlan.waitingRequests / 2),
};
/** `limitConnections` counts connections. */
const unlimited = { total: Number.POSITIVE_INFINITY, perClient: Number.POSITIVE_INFINITY };

export function createFairStart(server: Server, mayConnect: (client: string) => boolean) {
  const connections = new FairQueue<() => void>(unlimited);
  const requests = new FairQueue<() => void>(requestLimits);
  let isArriving = false;
  const takeConnection = createPauses();
  const takeRequest = createPauses();
  let begunInTurn = 0;

  /** Nobody waits, and this turn of the event loop has room. */
  const mayBeginAtOnce = () =>
    !isArriving && requests.size === 0 && connections.size === 0 && begunInTurn < maxBegunPerTurn;

  const beginInTurns = runInTurns(() => {
    const hasArrivals = isArriving;
    isArriving = false;
    const most = hasArrivals ? 1 : maxBegunPerTurn;
    for (begunInTurn = 0; begunInTurn < most && requests.size > 0; begunInTurn++)
      requests.next(hasArrivals ? takeRequest : undefined)?.();
    const hasBegun = beginConnections(
      connections,
      most,
      hasArrivals ? (client) => mayConnect(client) && takeConnection(client) : mayConnect,
    );
    if (requests.size > 0 || ((hasArrivals || hasBegun) && connections.size > 0)) return "again";
    return connections.size > 0 ? "later" : "done";
  });

  const takeWaitMs = delayConnections(server, (client, begin) => {
    // Node accepts one connection in each turn of the event loop, so all that wait to be accepted wait for each other, and
    // a client that connects again and again must not make the turns long.
    isArriving = true;
    connections.add(client, begin);
    beginInTurns();
  });

  /** False: too many requests of this client, or of all, have not begun yet. */
  const start = (client: string, response: ServerResponse, begin: () => void): boolean => {
    if (mayBeginAtOnce()) {
      begunInTurn++;
      beginInTurns();
      begin();
      return true;
    }
    const beginTurn = () => {
      response.off("close", leave);
      begin();
    };
    // Node keeps everything that arrived on a connection as long as anything refers to one of its answers.
    const leave = () => void requests.remove(client, beginTurn);
    const isAdded = requests.add(client, beginTurn);
    if (isAdded) response.once("close", leave);
    beginInTurns();
    return isAdded;
  };
  return { start, takeWaitMs };
}

/** Returns what takes a turn of a client's network, which then has none for a while. */
function createPauses() {
  // A Map iterates in the order of insertion, so the pauses that end first come first.
  const ends = new Map<string, number>();
  return (client: string): boolean => {
    const now = performance.now();
    for (const [network, end] of ends) {
      if (end > now) break;
      ends.delete(network);
    }
    const network = networkOf(client);
    if (ends.has(network)) return false;
    ends.set(network, now + pauseMs);
    return true;
  };
}

/** One of each client, as a single connection can bring hundreds of requests at once. */
function beginConnections(
  connections: FairQueue<() => void>,
  most: number,
  mayConnect: (client: string) => boolean,
): boolean {
  const clients = new Set<string>();
  const isFirst = (client: string) => {
    if (clients.has(client) || !mayConnect(client)) return false;
    clients.add(client);
    return true;
  };
  for (let begun = 0; begun < most; begun++) {
    const begin = connections.next(isFirst);
    if (!begin) break;
    begin();
  }
  return clients.size > 0;
}

/** Returns what starts it: runs `work` in each turn of the event loop for as long as that says "again". */
function runInTurns(work: () => "again" | "later" | "done") {
  let isScheduled = false;
  let isRetrying = false;

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(run);
  }

  function run() {
    isScheduled = false;
    const next = work();
    if (next === "again") return schedule();
    if (next === "done" || isRetrying) return;
    isRetrying = true;
    setTimeout(() => {
      isRetrying = false;
      schedule();
    }, retryMs);
  }

  return schedule;
}

/** A first request that comes later was not there when its connection began to be read: browsers connect ahead of time. */
const maxAfterBeginMs = 250;

/**
 * Calls `onArrival` for each new connection, of which nothing is read until it calls `begin`. The returned function tells
 * once how long the first request of a connection has waited for that.
 */
function delayConnections(server: Server, onArrival: (client: string, begin: () => void) => void) {
  const waits = new WeakMap<Socket, { waitMs: number; begunAt: number }>();
  const [read] = server.listeners("connection") as ((this: Server, socket: Socket) => void)[];
  if (!read) throw new Error("node:http has no listener for connections");
  server.off("connection", read);
  // The option of net.createServer, which node:http does not pass on.
  Object.assign(server, { pauseOnConnect: true });
  server.on("connection", (socket: Socket) => {
    // The listener that answers errors comes with the parser.
    const ignoreError = () => {};
    socket.on("error", ignoreError);
    const arrivedAt = performance.now();
    onArrival(ipBlockOf(socket.remoteAddress ?? ""), () => {
      if (socket.destroyed) return;
      const begunAt = performance.now();
      waits.set(socket, { waitMs: begunAt - arrivedAt, begunAt });
      read.call(server, socket);
      socket.off("error", ignoreError);
      socket.resume();
    });
  });
  return (socket: Socket): number => {
    const wait = waits.get(socket);
    waits.delete(socket);
    return wait && performance.now() - wait.begunAt < maxAfterBeginMs ? wait.waitMs : 0;
  };
}
