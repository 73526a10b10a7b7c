import { randomUUID } from "node:crypto";
import { withRedis } from "../cache/redis.server.ts";
import { seconds } from "../units.ts";

/**
 * Lets one holder at a time do named work. The process keeps the names in memory. With REDIS_URL the names are also
 * leases in Redis, so that all instances agree. A lease needs no database connection, and it expires if its instance
 * dies. While Redis does not answer, each instance decides alone.
 */

export type Hold = {
  /** Call this while the work continues. A lease that is not renewed expires. */
  renew(): void;
  release(): void;
};

const leaseMs = seconds(60);
const renewEveryMs = seconds(20);

const held = new Set<string>();

/** Deletes a lease only for its holder: it may have expired and belong to another holder by now. */
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;
const renewScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`;

/** Null if the name is already held. */
export async function holdAlone(name: string): Promise<Hold | null> {
  if (held.has(name)) return null;
  held.add(name);
  const key = `engawa:hold:${name}`;
  const holder = randomUUID();
  const lease = await withRedis(async (redis) => ({
    isTaken: (await redis.set(key, holder, "PX", leaseMs, "NX")) !== "OK",
  }));
  if (lease?.isTaken) {
    held.delete(name);
    return null;
  }
  let renewedAt = performance.now();
  let isReleased = false;
  return {
    renew() {
      if (lease === null || isReleased || performance.now() - renewedAt < renewEveryMs) return;
      renewedAt = performance.now();
      void withRedis((redis) => redis.eval(renewScript, 1, key, holder, leaseMs));
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      held.delete(name);
      if (lease !== null) void withRedis((redis) => redis.eval(releaseScript, 1, key, holder));
    },
  };
}
