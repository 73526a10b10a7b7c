import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ipBlockOf, networkOf } from "#app/platform/limits/client-block.ts";
import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { unlimitedShare } from "#app/platform/limits/fair-share.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";

/**
 * Starts connections and requests in turns, one client after another. Node would read all connections with new bytes in
 * one turn of the event loop and start all their requests, so everybody else would wait for a thousand requests of one
 * client.
 */

/** Starting a request takes the router up to two milliseconds. */
const maxBegunPerTurn = 8;
/** While connections arrive, each client may start one connection and one request within this time. */
const pauseMs = 10;
/** A client that has started none for a while may start so many of both at once, as a page does. */
const maxAtOnce = 8;
/**
 * While connections arrive, nothing begins for so long, and then they begin for as long. Node accepts one connection in
 * each turn of the event loop, and in the system's queue the others would wait for all connections of a client that
 * keeps reconnecting.
 */
const maxAcceptMs = 5;
/** While connections arrive, one request and so many connections begin in one turn of the event loop. */
const maxConnectionsPerArrival = 4;
/** When a client has reached its limit of connections, its waiting ones are retried after this time. */
const retryMs = 20;
const requestLimits = {
  total: memoryPlan.waitingRequests,
  perClient: Math.ceil(memoryPlan.waitingRequests / 2),
};

/** Tests set `acceptMs`. */
export function createFairStart(
  server: Server,
  mayConnect: (client: string) => boolean,
  acceptMs = maxAcceptMs,
) {
  // `limitConnections` limits connections, and a closed one leaves the queue.
  const connections = new FairQueue<() => void>(unlimitedShare);
  const requests = new FairQueue<() => void>(requestLimits);
  let isArriving = false;
  let acceptsUntil: number | undefined;
  const takeConnection = createPauses();
  const takeRequest = createPauses();
  let begunInTurn = 0;

  /** True if nothing is queued and this turn of the event loop has room. */
  const mayBeginAtOnce = () =>
    !isArriving && requests.size === 0 && connections.size === 0 && begunInTurn < maxBegunPerTurn;

  const beginInTurns = runInTurns(() => {
    const hasArrivals = isArriving;
    isArriving = false;
    const now = performance.now();
    acceptsUntil = hasArrivals ? (acceptsUntil ?? now + acceptMs) : undefined;
    if (acceptsUntil !== undefined) {
      if (now < acceptsUntil) return "again";
      if (now >= acceptsUntil + acceptMs) acceptsUntil = undefined;
    }
    const limit = hasArrivals ? 1 : maxBegunPerTurn;
    for (begunInTurn = 0; begunInTurn < limit && requests.size > 0; begunInTurn++)
      requests.next(hasArrivals ? takeRequest : undefined)?.();
    const hasBegun = beginConnections(
      connections,
      hasArrivals ? maxConnectionsPerArrival : maxBegunPerTurn,
      hasArrivals ? (client) => mayConnect(client) && takeConnection(client) : mayConnect,
    );
    if (requests.size > 0 || ((hasArrivals || hasBegun) && connections.size > 0)) return "again";
    return connections.size > 0 ? "later" : "done";
  });

  const takeWaitMs = delayConnections(server, {
    onArrival(client, begin) {
      isArriving = true;
      connections.add(client, begin);
      beginInTurns();
    },
    onLeave: (client, begin) => void connections.remove(client, begin),
  });

  /** Returns false if too many requests of this client, or of all clients, have not started yet. */
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
    // Node keeps everything that arrived on a connection in memory while one of its responses is referenced.
    const leave = () => void requests.remove(client, beginTurn);
    const isAdded = requests.add(client, beginTurn);
    if (isAdded) response.once("close", leave);
    beginInTurns();
    return isAdded;
  };
  return { start, takeWaitMs };
}

/**
 * Returns a function that takes a turn for a client's network. After `maxAtOnce` turns in a row, the network gets one
 * turn in each `pauseMs`.
 */
function createPauses() {
  /** The time at which each network has made up for its turns. */
  const ends = new Map<string, number>();
  const longestMs = (maxAtOnce - 1) * pauseMs;
  return (client: string): boolean => {
    const now = performance.now();
    // A Map iterates in the order of insertion, and the network that took its last turn first is about the first to end.
    for (const [network, end] of ends) {
      if (end > now) break;
      ends.delete(network);
    }
    const network = networkOf(client);
    const end = Math.max(now, ends.get(network) ?? 0);
    if (end > now + longestMs) return false;
    ends.delete(network);
    ends.set(network, end + pauseMs);
    return true;
  };
}

/** Starts one connection per client, since a single connection can bring hundreds of requests at once. */
function beginConnections(
  connections: FairQueue<() => void>,
  limit: number,
  mayConnect: (client: string) => boolean,
): boolean {
  const clients = new Set<string>();
  const isFirst = (client: string) => {
    if (clients.has(client) || !mayConnect(client)) return false;
    clients.add(client);
    return true;
  };
  for (let begun = 0; begun < limit; begun++) {
    const begin = connections.next(isFirst);
    if (!begin) break;
    begin();
  }
  return clients.size > 0;
}

/**
 * Returns the function that starts the loop: it runs `work` in each turn of the event loop for as long as `work`
 * returns "again".
 */
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

/**
 * Browsers open connections ahead of time. A first request that comes later than this did not wait for its connection
 * to be read.
 */
const maxAfterBeginMs = 250;

type Delayed = (client: string, begin: () => void) => void;

/**
 * Calls `onArrival` for each new connection, which is not read until `begin` is called, and `onLeave` if it closes
 * before. The returned function tells, once per connection, how long its first request has waited for that.
 */
function delayConnections(server: Server, { onArrival, onLeave }: { onArrival: Delayed; onLeave: Delayed }) {
  const waits = new WeakMap<Socket, { waitMs: number; begunAt: number }>();
  const [read] = server.listeners("connection") as ((this: Server, socket: Socket) => void)[];
  if (!read) throw new Error("node:http has no listener for connections");
  server.off("connection", read);
  // An option of net.createServer that node:http does not pass on.
  Object.assign(server, { pauseOnConnect: true });
  server.on("connection", (socket: Socket) => {
    // The listener that answers errors is added together with the parser.
    const ignoreError = () => {};
    socket.on("error", ignoreError);
    if (socket.destroyed) return;
    const arrivedAt = performance.now();
    const client = ipBlockOf(socket.remoteAddress ?? "");
    const begin = () => {
      socket.off("close", leave);
      if (socket.destroyed) return;
      const begunAt = performance.now();
      waits.set(socket, { waitMs: begunAt - arrivedAt, begunAt });
      read.call(server, socket);
      socket.off("error", ignoreError);
      socket.resume();
    };
    const leave = () => onLeave(client, begin);
    socket.once("close", leave);
    onArrival(client, begin);
  });
  return (socket: Socket): number => {
    const wait = waits.get(socket);
    waits.delete(socket);
    return wait && performance.now() - wait.begunAt < maxAfterBeginMs ? wait.waitMs : 0;
  };
}
