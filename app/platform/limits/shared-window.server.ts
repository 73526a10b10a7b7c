import { withRedis } from "../cache/redis.server.ts";
import { log } from "../log.server.ts";
import { minutes } from "../units.ts";
import type { Hit } from "./fixed-window.ts";

/**
 * The fixed window of `fixed-window.ts`, shared by all instances. It is one script: if the connection broke between
 * INCR and PEXPIRE, the key would never expire and the client would stay blocked.
 */
const script = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { count, left }`;

/** Returns null if Redis does not answer: then each instance counts for itself. */
export async function hitShared(key: string, lengthMs: number): Promise<Hit | null> {
  const answer = await withRedis((redis) => redis.eval(script, 1, `engawa:limit:${key}`, lengthMs));
  logSharing(Array.isArray(answer));
  return Array.isArray(answer) ? { count: Number(answer[0]), resetsInMs: Number(answer[1]) } : null;
}

let isShared = true;
let lastWarningAt = Number.NEGATIVE_INFINITY;

/** Logs only a change, and warns at most once a minute: a Redis that fails on and off would fill the log. */
function logSharing(isSharedNow: boolean) {
  if (isSharedNow === isShared || (!isSharedNow && Date.now() - lastWarningAt < minutes(1))) return;
  isShared = isSharedNow;
  if (isShared) return log.info("Redis answers again: instances share their limits");
  lastWarningAt = Date.now();
  log.warn("Redis does not answer: each instance counts requests for itself");
}
