import { lookup } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import { seconds } from "../units.ts";

export type ResolvedIp = { address: string; family: number };
export type Resolve = (hostname: string) => Promise<ResolvedIp[]>;

export class LookupQueueFull extends Error {
  override name = "LookupQueueFull";
}

const rememberIpsMs = seconds(30);
const rememberFailureMs = seconds(10);
const maxWaitMs = seconds(5);
const maxQueueLength = 500;
/**
 * Each look-up of the system's resolver blocks one thread of libuv's pool (four by default), which file reads need as
 * well.
 */
const maxLookupThreads = 2;

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Caches name look-ups for a short time and runs only a few at once. Otherwise a name server that does not answer would
 * block all file reads of the process.
 */
export function createCachingResolver(resolve: Resolve = systemResolve): Resolve {
  const known = new LRUCache<string, Promise<ResolvedIp[]>>({ max: 2000 });
  const waiting: { since: number; start(): void; refuse(): void }[] = [];
  let running = 0;

  const waitForTurn = () =>
    new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new LookupQueueFull("too many names to look up"));
      if (waiting.length >= maxQueueLength) refuse();
      else waiting.push({ since: Date.now(), start: resolve, refuse });
    });

  /** Rejects look-ups that waited too long: their callers have given up, and new ones would wait behind them. */
  function startNext() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (Date.now() - next.since < maxWaitMs) return next.start();
      next.refuse();
    }
    running--;
  }

  async function lookUpInTurn(hostname: string) {
    if (running < maxLookupThreads) running++;
    else await waitForTurn();
    try {
      return await resolve(hostname);
    } finally {
      startNext();
    }
  }

  return (hostname) => {
    const remembered = known.get(hostname);
    if (remembered) return remembered;
    const answer = lookUpInTurn(hostname);
    known.set(hostname, answer);
    answer.then(
      () => known.set(hostname, answer, { ttl: rememberIpsMs }),
      (error) =>
        error instanceof LookupQueueFull
          ? known.delete(hostname)
          : known.set(hostname, answer, { ttl: rememberFailureMs }),
    );
    return answer;
  };
}
