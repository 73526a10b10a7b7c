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
/** The system's resolver blocks a thread of libuv's pool (four by default) that file reads need too. */
const maxLookupThreads = 2;

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Name look-ups remembered briefly and never more than two at a time, so that a name server that does not
 * answer cannot stop the file reads of the whole service.
 */
export function createCachingResolver(resolve: Resolve = systemResolve): Resolve {
  const known = new LRUCache<string, Promise<ResolvedIp[]>>({ max: 2000 });
  const waiting: { since: number; go(): void; giveUp(): void }[] = [];
  let running = 0;

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => reject(new LookupQueueFull("too many names to look up"));
      if (waiting.length >= maxQueueLength) giveUp();
      else waiting.push({ since: Date.now(), go: resolve, giveUp });
    });

  /** Whoever waited longer than any caller does is told so, or a slow resolver would work for the departed. */
  function passTurn() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (Date.now() - next.since < maxWaitMs) return next.go();
      next.giveUp();
    }
    running--;
  }

  async function inTurn(hostname: string) {
    if (running < maxLookupThreads) running++;
    else await turn();
    try {
      return await resolve(hostname);
    } finally {
      passTurn();
    }
  }

  return (hostname) => {
    const remembered = known.get(hostname);
    if (remembered) return remembered;
    const answer = inTurn(hostname);
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
