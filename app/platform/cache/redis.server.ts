import type { Redis } from "ioredis";
import { errorFields, log } from "../log.server.ts";
import { env } from "../process/env.server.ts";
import { seconds } from "../units.ts";

/**
 * The Redis of REDIS_URL, which instances share. The site works without it: a command that fails or takes too long
 * returns null.
 */

let connecting: Promise<Redis> | undefined;

async function connect(url: string): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: seconds(2),
    commandTimeout: 300,
    // Without this, a connection whose packets the network drops would never close.
    socketTimeout: seconds(2),
    retryStrategy: (attempt) => Math.min(attempt * 200, seconds(2)),
    lazyConnect: true,
  });
  redis.on("error", (error) => {
    const refusal = refusalOf(error);
    log.warnOnce(
      `redis ${refusal}`,
      `Redis (REDIS_URL) ${refusal === null ? "does not answer" : `refuses the connection (${refusal})`}`,
      errorFields(error),
    );
  });
  await redis.connect().catch(() => {});
  return redis;
}

/** The first word of a refusal, such as WRONGPASS. The rest of it may contain a user's name. */
const refusalOf = (error: Error) =>
  error.name === "ReplyError" ? (/^[A-Z]+/.exec(error.message)?.[0] ?? "no reason") : null;

/** Returns null if no Redis is configured, or if it did not answer in time. */
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
