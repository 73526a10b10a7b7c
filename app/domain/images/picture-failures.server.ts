import { LRUCache } from "lru-cache";
import { minutes } from "#app/platform/units.ts";

/**
 * Which pictures could not be had, and which hosts answer none: a page of posters whose pictures are out of reach
 * should not find that out one by one, two seconds each.
 */
export function failureMemory() {
  const pictures = new LRUCache<string, true>({ max: 50_000, ttl: minutes(10) });
  const hosts = new LRUCache<string, { failures: number; askAgainAt: number }>({
    max: 2000,
    ttl: minutes(10),
  });

  return {
    /** False for one picture a minute of a host in trouble: that one finds out whether it is over. */
    isHopeless(picture: string, host: string): boolean {
      if (pictures.has(picture)) return true;
      const trouble = hosts.get(host);
      if (!trouble || trouble.failures < maxFailures) return false;
      if (Date.now() < trouble.askAgainAt) return true;
      hosts.set(host, { ...trouble, askAgainAt: Date.now() + minutes(1) });
      return false;
    },
    succeeded(host: string) {
      hosts.delete(host);
    },
    failed(picture: string) {
      pictures.set(picture, true);
    },
    /** It was slow, or failed in a way that other pictures of the host will as well. */
    troubled(host: string) {
      const failures = (hosts.get(host)?.failures ?? 0) + 1;
      hosts.set(host, { failures, askAgainAt: Date.now() + minutes(1) });
    },
  };
}

const maxFailures = 3;
