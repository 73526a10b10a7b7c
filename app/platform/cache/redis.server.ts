import type { Redis } from "ioredis";
import { errorFields, log } from "../log.server.ts";
import { env } from "../process/env.server.ts";
import { seconds } from "../units.ts";

/**
 * What several instances share, where REDIS_URL names a Redis. Losing it costs the sharing and nothing else: a
 * command that is not answered soon counts as one that found nothing.
 */

let connecting: Promise<Redis> | undefined;

async function connect(address: string): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(address, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: seconds(2),
    commandTimeout: 300,
    // A connection that a network has swallowed never ends by itself.
    socketTimeout: seconds(2),
    retryStrategy: (attempt) => Math.min(attempt * 200, seconds(2)),
    lazyConnect: true,
  });
  redis.on("error", (error) =>
    log.warnOnce("redis", "the Redis of REDIS_URL does not answer", errorFields(error)),
  );
  await redis.connect().catch(() => {});
  return redis;
}

/** Null: there is no Redis, or it did not answer in time. */
export async function withRedis<T>(work: (redis: Redis) => Promise<T>): Promise<T | null> {
  if (env.REDIS_URL === undefined) return null;
  connecting ??= connect(env.REDIS_URL);
  try {
    return await work(await connecting);
  } catch (error) {
    log.debug("a Redis command failed", errorFields(error));
    return null;
  }
}

export async function closeRedis() {
  (await connecting)?.disconnect();
  connecting = undefined;
}
