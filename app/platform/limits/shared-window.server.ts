import { withRedis } from "../cache/redis.server.ts";
import { log } from "../log.server.ts";
import { minutes } from "../units.ts";
import type { Hit } from "./fixed-window.ts";

/**
 * The fixed window of `fixed-window.ts`, shared by all instances. This is one script: if the connection broke between
 * INCR and PEXPIRE, the key would never expire and the client would stay blocked.
 *
 * Within the length of one window, at most `maxNewKeys` clients get a key, because a client with many addresses could
 * fill Redis. For further clients the script returns nothing, and each instance counts them for itself. A key that would
 * live longer than a window was set before the clock of Redis was set back.
 */
const script = `
local length = tonumber(ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left > length then
  redis.call('PEXPIRE', KEYS[1], length)
  left = length
end
if left < 0 then
  local created = redis.call('INCR', KEYS[2])
  local createdLeft = redis.call('PTTL', KEYS[2])
  if createdLeft < 0 or createdLeft > length then redis.call('PEXPIRE', KEYS[2], length) end
  if created > tonumber(ARGV[2]) then return false end
  redis.call('SET', KEYS[1], 0, 'PX', length)
  left = length
end
return { redis.call('INCR', KEYS[1]), left }`;

/** A key needs less than 200 bytes, and the keys of two windows can exist at once: together less than 16 MB. */
export const maxNewKeys = 40_000;

/** Returns null if Redis does not answer or has too many clients. Each instance then counts for itself. */
export async function hitShared(key: string, lengthMs: number): Promise<Hit | null> {
  const answer = await withRedis(async (redis) => ({
    hit: await redis.eval(
      script,
      2,
      `engawa:limit:${key}`,
      `engawa:limits:${lengthMs}`,
      lengthMs,
      maxNewKeys,
    ),
  }));
  logSharing(answer !== null);
  const hit = answer?.hit;
  return Array.isArray(hit) ? { count: Number(hit[0]), resetsInMs: Number(hit[1]) } : null;
}

let isShared = true;
let lastWarningAt = Number.NEGATIVE_INFINITY;

/** Logs only changes, and warns at most once a minute: a Redis that keeps failing and recovering would fill the log. */
function logSharing(isSharedNow: boolean) {
  if (isSharedNow === isShared || (!isSharedNow && performance.now() - lastWarningAt < minutes(1))) return;
  isShared = isSharedNow;
  if (isShared) return log.info("Redis answers again: instances share their limits");
  lastWarningAt = performance.now();
  log.warn("Redis does not answer: each instance counts requests for itself");
}
