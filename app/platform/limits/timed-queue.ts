import { FairQueue } from "./fair-queue.ts";
import { createFairShare, type ShareLimits } from "./fair-share.ts";

type Leave = () => void;
type Holder = { client: string; account: string | undefined };
type Waiting = Holder & { start(leave: Leave): void };

export type TimedQueueOptions = {
  /** How many entries may run at the same time. */
  running: ShareLimits & {
    /** How many entries of one account may run, from all its addresses. */
    perAccount?: number;
  };
  waiting: ShareLimits;
  /** No entry waits longer, including `waitedMs`: its client would have left or retried by then. */
  maxWaitMs: number;
  /**
   * An entry that would end later, estimated from the recent durations of all entries, is refused. Only for a queue whose
   * entries wait for a place in the total: an account's own places say nothing about how long others take.
   */
  maxTotalMs?: number;
  /**
   * True if this client must leave time for others after its next entry. The place then stays taken for three more
   * times the duration of the entry, but only in the share of the client and of the account. This rest is short unless
   * more entries of the account (of the client, if there is no account) wait here than may run at once.
   */
  leavesTime?: (client: string) => boolean;
};

type Entry = {
  /** The account of the request. Its share and its place in the queue are separate from those of the address. */
  account?: string | undefined;
  /** True for work that runs only if there is spare capacity. */
  isOptional?: boolean;
  /** Aborts when the caller no longer waits. */
  signal?: AbortSignal;
  /** How long the request has waited before it entered. */
  waitedMs?: number;
  /** Replaces the queue's own limit. */
  maxWaitMs?: number | undefined;
};

const restFactor = 3;
/** The longest rest at all. An entry that took long enough to exceed it has waited for something else. */
const maxRestMs = 1000;
/**
 * The longest rest of an account whose waiting entries could all run at once. They may be slow because others keep the
 * site busy. With longer rests, a few requests a second would then fill its places, and it would be refused.
 */
const maxShortRestMs = 100;

/** The weight of the latest interval in the average. */
const weight = 0.2;

/**
 * Lets a few entries run at the same time. The rest wait, and clients take turns. An entry that would wait too long,
 * estimated from recent durations, is refused. A flood's request waits for most of its time and is then refused, so that
 * the flood comes back later. Any other request is refused at once.
 */
export function createTimedQueue({
  running,
  waiting,
  maxTotalMs = Number.POSITIVE_INFINITY,
  leavesTime = () => false,
  ...limits
}: TimedQueueOptions) {
  const places = createFairShare(running);
  const clientPlaces = createFairShare({ ...running, total: Number.POSITIVE_INFINITY });
  const { perAccount = Number.POSITIVE_INFINITY } = running;
  const accountPlaces = createFairShare({ total: Number.POSITIVE_INFINITY, perClient: perAccount });
  const queue = new FairQueue<Waiting>(waiting);
  /** Nobody takes from it: its entries wait only until they are refused. */
  const refused = new FairQueue<Waiting>({ total: waiting.total / 2, perClient: waiting.perClient / 2 });
  /**
   * The average duration of an entry, divided by the number of entries that ran beside it: the expected time until a
   * place becomes free.
   */
  let intervalMs: number | undefined;

  /**
   * `leave` frees the place in the total when the entry ends. `endRest` frees the client's and the account's places
   * after the rest.
   */
  const takePlaces = ({ client, account }: Holder): { leave: Leave; endRest: Leave } | null => {
    const ownPlace = clientPlaces.take(client);
    const accountPlace = ownPlace && account !== undefined ? accountPlaces.take(account) : ownPlace;
    const leave = accountPlace && places.take(client);
    const endRest = () => {
      ownPlace?.();
      accountPlace?.();
    };
    if (leave) return { leave, endRest };
    endRest();
    return null;
  };

  const asksForTooMuch = (holder: Holder) =>
    queue.countOf(keyOf(holder)) > (holder.account === undefined ? running.perClient : perAccount);

  const placeFor = (holder: Holder): Leave | null => {
    const lease = takePlaces(holder);
    if (!lease) return null;
    const startedAt = performance.now();
    const heldAtStart = places.held();
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const durationMs = performance.now() - startedAt;
      const lastIntervalMs = durationMs / Math.max(heldAtStart, places.held());
      intervalMs = (1 - weight) * (intervalMs ?? lastIntervalMs) + weight * lastIntervalMs;
      lease.leave();
      const end = () => {
        lease.endRest();
        startNext();
      };
      if (!leavesTime(holder.client)) return end();
      startNext();
      const longestMs = asksForTooMuch(holder) ? maxRestMs : maxShortRestMs;
      setTimeout(end, Math.min(restFactor * durationMs, longestMs));
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

  /** The first entry in the queue may always wait. Otherwise, after one very long entry, none would be served. */
  function wouldEndTooLate(key: string, waitedMs: number) {
    if (maxTotalMs === Number.POSITIVE_INFINITY) return false;
    const before = queue.placesBefore(key);
    return before > 0 && waitedMs + (places.held() + before + 1) * (intervalMs ?? 0) > maxTotalMs;
  }

  return {
    waiting: () => queue.size,
    /** Resolves with the function to call at the end, or with null if the client is refused. */
    async enter(
      client: string,
      { account, isOptional = false, signal, waitedMs = 0, maxWaitMs = limits.maxWaitMs }: Entry = {},
    ): Promise<Leave | null> {
      if (signal?.aborted) return null;
      if (isOptional && (queue.size > 0 || places.held() >= running.total / 2)) return null;
      // A request that has waited too long runs only if nothing else is running. Otherwise, when every request is late,
      // none would be served.
      if (waitedMs >= maxWaitMs && places.held() > 0) return null;
      const holder = { client, account };
      const leave = placeFor(holder);
      if (leave || isOptional) return leave;
      const key = keyOf(holder);
      const isOfFlood = asksForTooMuch(holder);
      // The requests of a flood arrive together. If they were refused together, they would also come back together.
      const patience = isOfFlood ? 1 - Math.random() / 4 : 1;
      const wait = { ...holder, key, maxWaitMs: (maxWaitMs - waitedMs) * patience, signal };
      if (!wouldEndTooLate(key, waitedMs)) return waitIn(queue, wait);
      // A flood that is refused at once comes back at once.
      return isOfFlood ? waitIn(refused, wait) : null;
    },
  };
}

/** An account waits in one queue for all its addresses. */
const keyOf = ({ client, account }: Holder) => account ?? client;

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
