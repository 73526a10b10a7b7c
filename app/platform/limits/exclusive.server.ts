import { randomUUID } from "node:crypto";
import { withRedis } from "../cache/redis.server.ts";
import { seconds } from "../units.ts";

/**
 * Lets one holder at a time do something, by name. The names are kept in the memory of the process. With REDIS_URL they
 * are also leases there, so that the instances agree; a lease needs no connection of the database, and it ends by itself
 * if its instance does. Without Redis, or while it does not answer, each instance decides alone.
 */

export type Hold = {
  /** Call it while the work goes on. A lease that nobody renews ends. */
  renew(): void;
  release(): void;
};

const leaseMs = seconds(60);
const renewEveryMs = seconds(20);

const held = new Set<string>();

/** Only the holder may end a lease: it may have run out, and somebody else may have it by now. */
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;
const renewScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`;

/** Null: somebody holds it. */
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
