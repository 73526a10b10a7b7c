import { withRedis } from "../cache/redis.server.ts";
import { log } from "../log.server.ts";
import { minutes } from "../units.ts";
import type { Hit } from "./fixed-window.ts";

/**
 * The fixed window of `fixed-window.ts`, shared by all instances. It is one script: if the connection broke between
 * INCR and PEXPIRE, the key would never expire and the client would stay blocked.
 *
 * In the length of one window, at most `maxNewKeys` clients get a key, because anybody with many addresses could fill
 * Redis. The script then gives nothing, and each instance counts the others for itself. A key that would live longer than
 * a window is of before the clock of Redis was set back.
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

/** A key needs less than 200 bytes, and those of two windows can exist at once: together less than 16 MB. */
export const maxNewKeys = 40_000;

/** Returns null if Redis does not answer or has too many clients: then each instance counts for itself. */
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

/** Logs only a change, and warns at most once a minute: a Redis that fails on and off would fill the log. */
function logSharing(isSharedNow: boolean) {
  if (isSharedNow === isShared || (!isSharedNow && performance.now() - lastWarningAt < minutes(1))) return;
  isShared = isSharedNow;
  if (isShared) return log.info("Redis answers again: instances share their limits");
  lastWarningAt = performance.now();
  log.warn("Redis does not answer: each instance counts requests for itself");
}
