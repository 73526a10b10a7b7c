import { FairQueue } from "./fair-queue.ts";
import { createFairShare } from "./fair-share.ts";

type Limits = Parameters<typeof createFairShare>[0];
type Leave = () => void;
type Holder = { client: string; account: string | undefined };
type Waiting = Holder & { start(leave: Leave): void };

export type TimedQueueOptions = {
  /** How much may run at the same time. */
  running: Limits & {
    /** What one account may run, from however many addresses. */
    perAccount?: number;
  };
  waiting: Limits;
  /** Nothing waits longer, here and before, because its client would have left or asked again. */
  maxWaitMs: number;
  /** What would end later, by the time that others took lately, is refused at once. */
  maxTotalMs: number;
};

type Entry = {
  /** The account that asks. Its share and its place in the queue are its own, beside those of the address. */
  account?: string | undefined;
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
  const accountPlaces = createFairShare({
    total: Number.POSITIVE_INFINITY,
    perClient: running.perAccount ?? Number.POSITIVE_INFINITY,
  });
  const queue = new FairQueue<Waiting>(waiting);
  /** How long one takes on average, divided by how many ran beside it: after this time a place frees up. */
  let intervalMs: number | undefined;

  const takePlaces = ({ client, account }: Holder): Leave | null => {
    const giveBack = places.take(client);
    if (!giveBack || account === undefined) return giveBack;
    const giveBackOfAccount = accountPlaces.take(account);
    if (!giveBackOfAccount) {
      giveBack();
      return null;
    }
    return () => {
      giveBack();
      giveBackOfAccount();
    };
  };

  const placeFor = (holder: Holder): Leave | null => {
    const giveBack = takePlaces(holder);
    if (!giveBack) return null;
    const startedAt = performance.now();
    const heldAtStart = places.held();
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const lastIntervalMs = (performance.now() - startedAt) / Math.max(heldAtStart, places.held());
      intervalMs = (1 - weight) * (intervalMs ?? lastIntervalMs) + weight * lastIntervalMs;
      giveBack();
      startNext();
    };
  };

  function startNext() {
    while (queue.size > 0) {
      let leave: Leave | null = null;
      const next = queue.next((_key, holder) => {
        leave = placeFor(holder);
        return leave !== null;
      });
      if (!next || !leave) return;
      next.start(leave);
    }
  }

  /** The first one may always wait, or nobody would be left after one that took very long. */
  function wouldEndTooLate(key: string, waitedMs: number) {
    if (maxTotalMs === Number.POSITIVE_INFINITY) return false;
    const before = queue.placesBefore(key);
    return before > 0 && waitedMs + (places.held() + before + 1) * (intervalMs ?? 0) > maxTotalMs;
  }

  return {
    waiting: () => queue.size,
    /** Resolves with what to call at the end, or with null if the client is refused. */
    async enter(
      client: string,
      { account, isOptional = false, signal, waitedMs = 0 }: Entry = {},
    ): Promise<Leave | null> {
      if (signal?.aborted) return null;
      if (isOptional && (queue.size > 0 || places.held() >= running.total / 2)) return null;
      // Who came too long ago runs only if nothing else does, or nobody would be left when all come late.
      if (waitedMs >= maxWaitMs && places.held() > 0) return null;
      const holder = { client, account };
      const leave = placeFor(holder);
      if (leave || isOptional) return leave;
      // An account waits in its own line, whatever address it asks from.
      const key = account ?? client;
      return wouldEndTooLate(key, waitedMs)
        ? null
        : waitIn(queue, { ...holder, key, maxWaitMs: maxWaitMs - waitedMs, signal });
    },
  };
}

type Wait = Holder & { key: string; maxWaitMs: number; signal: AbortSignal | undefined };

function waitIn(
  queue: FairQueue<Waiting>,
  { key, client, account, maxWaitMs, signal }: Wait,
): Promise<Leave | null> {
  return new Promise((resolve) => {
    const end = (leave: Leave | null) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      resolve(leave);
    };
    const item: Waiting = { client, account, start: end };
    const giveUp = () => {
      queue.remove(key, item);
      end(null);
    };
    const timer = setTimeout(giveUp, maxWaitMs);
    signal?.addEventListener("abort", giveUp);
    if (!queue.add(key, item)) giveUp();
  });
}
