import { lookup } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import { seconds } from "./duration.ts";

export type ResolvedAddress = { address: string; family: number };
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

export class LookupQueueFull extends Error {
  override name = "LookupQueueFull";
}

const rememberAddresses = seconds(30);
const rememberFailure = seconds(10);
const longestWait = seconds(5);
const longestQueue = 500;
/** The system's resolver blocks a thread of libuv's pool (four by default) that file reads need too. */
const threadsTaken = 2;

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Name look-ups remembered briefly and never more than two at a time, so that a name server that does not
 * answer cannot stop the file reads of the whole service.
 */
export function rememberingResolver(resolve: Resolve = systemResolve): Resolve {
  const known = new LRUCache<string, Promise<ResolvedAddress[]>>({ max: 2000 });
  const waiting: { since: number; go(): void; giveUp(): void }[] = [];
  let running = 0;

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => reject(new LookupQueueFull("too many names to look up"));
      if (waiting.length >= longestQueue) giveUp();
      else waiting.push({ since: Date.now(), go: resolve, giveUp });
    });

  /** Whoever waited longer than any caller does is told so, or a slow resolver would work for the departed. */
  function passTurn() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (Date.now() - next.since < longestWait) return next.go();
      next.giveUp();
    }
    running--;
  }

  async function inTurn(hostname: string) {
    if (running < threadsTaken) running++;
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
      () => known.set(hostname, answer, { ttl: rememberAddresses }),
      (error) =>
        error instanceof LookupQueueFull
          ? known.delete(hostname)
          : known.set(hostname, answer, { ttl: rememberFailure }),
    );
    return answer;
  };
}
