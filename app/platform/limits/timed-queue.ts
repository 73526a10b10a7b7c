import { FairQueue } from "./fair-queue.ts";
import { createFairShare } from "./fair-share.ts";

type Limits = Parameters<typeof createFairShare>[0];
type Leave = () => void;
type Waiting = { start(leave: Leave): void };

export type TimedQueueOptions = {
  /** How much may run at the same time. */
  running: Limits;
  waiting: Limits;
  /** Nothing waits longer, here and before, because its client would have left or asked again. */
  maxWaitMs: number;
  /** What would end later, by the time that others took lately, is refused at once. */
  maxTotalMs: number;
};

type Entry = {
  /** Runs only if there is room to spare. */
  isOptional?: boolean;
  /** Aborts when nobody waits any more. */
  signal?: AbortSignal;
  /** How long it has waited before. */
  waitedMs?: number;
};

/** How much the last interval counts in the average. */
const weight = 0.2;

/**
 * Lets a few things run at the same time. Others wait while clients take turns. Who would wait too long is refused at
 * once, by the time that others took lately.
 */
export function createTimedQueue({ running, waiting, maxWaitMs, maxTotalMs }: TimedQueueOptions) {
  const places = createFairShare(running);
  const queue = new FairQueue<Waiting>(waiting);
  /** How long one takes on average, divided by how many ran beside it: after this time a place frees up. */
  let intervalMs: number | undefined;

  const placeFor = (client: string): Leave | null => {
    const giveBack = places.take(client);
    if (!giveBack) return null;
    const startedAt = performance.now();
    const heldAtStart = places.held();
    return () => {
      const lastIntervalMs = (performance.now() - startedAt) / Math.max(heldAtStart, places.held());
      intervalMs = (1 - weight) * (intervalMs ?? lastIntervalMs) + weight * lastIntervalMs;
      giveBack();
      startNext();
    };
  };

  function startNext() {
    for (;;) {
      let leave: Leave | null = null;
      const next = queue.next((client) => {
        leave = placeFor(client);
        return leave !== null;
      });
      if (!next || !leave) return;
      next.start(leave);
    }
  }

  return {
    waiting: () => queue.size,
    /** Resolves with what to call at the end, or with null if the client is refused. */
    async enter(
      client: string,
      { isOptional = false, signal, waitedMs = 0 }: Entry = {},
    ): Promise<Leave | null> {
      if (signal?.aborted) return null;
      if (isOptional && (queue.size > 0 || places.held() >= running.total / 2)) return null;
      // Who came too long ago runs only if nothing else does, or nobody would be left when all come late.
      if (waitedMs >= maxWaitMs && places.held() > 0) return null;
      const leave = placeFor(client);
      if (leave || isOptional) return leave;
      const before = queue.placesBefore(client);
      // The first one may always wait, or nobody would be left after one that took very long.
      return before > 0 && waitedMs + (places.held() + before + 1) * (intervalMs ?? 0) > maxTotalMs
        ? null
        : waitIn(queue, client, { maxWaitMs: maxWaitMs - waitedMs, signal });
    },
  };
}

function waitIn(
  queue: FairQueue<Waiting>,
  client: string,
  { maxWaitMs, signal }: { maxWaitMs: number; signal: AbortSignal | undefined },
): Promise<Leave | null> {
  return new Promise((resolve) => {
    const end = (leave: Leave | null) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      resolve(leave);
    };
    const item: Waiting = { start: end };
    const giveUp = () => {
      queue.remove(client, item);
      end(null);
    };
    const timer = setTimeout(giveUp, maxWaitMs);
    signal?.addEventListener("abort", giveUp);
    if (!queue.add(client, item)) giveUp();
  });
}
