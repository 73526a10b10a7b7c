import { randomUUID } from "node:crypto";
import { withRedis } from "../cache/redis.server.ts";
import { seconds } from "../units.ts";

/**
 * Lets one holder at a time do named work. The process keeps leases of the names in memory. With REDIS_URL the leases
 * are also in Redis, so that all instances agree. A lease needs no database connection, and it expires if its holder
 * stops renewing it or its instance dies. While Redis does not answer, each instance decides alone.
 */

export type Hold = {
  /** Call this while the work continues. A lease that is not renewed expires. */
  renew(): void;
  release(): void;
};

const leaseMs = seconds(60);
const renewEveryMs = seconds(20);

/** The leases of this process, by name. */
const leases = new Map<string, { renewedAt: number }>();

/** Deletes a lease only for its holder: it may have expired and belong to another holder by now. */
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;
const renewScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`;

/** Null if the name is already held. */
export async function holdAlone(name: string): Promise<Hold | null> {
  const former = leases.get(name);
  if (former && performance.now() - former.renewedAt < leaseMs) return null;
  const lease = { renewedAt: performance.now() };
  leases.set(name, lease);
  const isHeld = () => leases.get(name) === lease;
  const key = `engawa:hold:${name}`;
  const holder = randomUUID();
  const shared = await withRedis(async (redis) => ({
    isTaken: (await redis.set(key, holder, "PX", leaseMs, "NX")) !== "OK",
  }));
  if (shared?.isTaken) {
    leases.delete(name);
    return null;
  }
  return {
    renew() {
      if (!isHeld() || performance.now() - lease.renewedAt < renewEveryMs) return;
      lease.renewedAt = performance.now();
      if (shared !== null) void withRedis((redis) => redis.eval(renewScript, 1, key, holder, leaseMs));
    },
    release() {
      if (!isHeld()) return;
      leases.delete(name);
      if (shared !== null) void withRedis((redis) => redis.eval(releaseScript, 1, key, holder));
    },
  };
}
