import type { Server, ServerResponse } from "node:http";
import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";

/**
 * Begins with requests in turns of clients. Node would begin with all that arrived together, so everybody else would wait
 * until the process has begun with a thousand requests of one client.
 */

/** To begin with a request takes the router up to two milliseconds. */
const maxBegunPerTurn = 8;
/** While connections arrive, only one request begins in this time. */
const arrivalMs = 20;
const limits = {
  total: memoryPlan.waitingRequests,
  perClient: Math.ceil(memoryPlan.waitingRequests / 2),
};

export function createFairStart(server: Server) {
  const waiting = new FairQueue<() => void>(limits);
  let isScheduled = false;
  let isArriving = false;
  let begunAt = 0;

  // Node accepts one connection in each turn of the event loop, so all that wait to be accepted wait for each other.
  server.on("connection", () => {
    isArriving = true;
  });

  function schedule() {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(beginSome);
  }

  function beginSome() {
    isScheduled = false;
    const now = performance.now();
    if (!isArriving || now - begunAt >= arrivalMs) {
      const most = isArriving ? 1 : maxBegunPerTurn;
      for (let begun = 0; begun < most; begun++) waiting.next()?.();
      begunAt = now;
    }
    isArriving = false;
    schedule();
  }

  /** False: too many requests of this client, or of all, have not begun yet. */
  return (client: string, response: ServerResponse, begin: () => void): boolean => {
    const beginTurn = () => {
      response.off("close", leave);
      begin();
    };
    // Node keeps everything that arrived on a connection as long as anything refers to one of its answers.
    const leave = () => void waiting.remove(client, beginTurn);
    const isAdded = waiting.add(client, beginTurn);
    if (isAdded) response.once("close", leave);
    schedule();
    return isAdded;
  };
}
