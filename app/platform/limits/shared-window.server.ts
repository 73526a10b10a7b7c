import { withRedis } from "../cache/redis.server.ts";
import { log } from "../log.server.ts";
import { minutes } from "../units.ts";
import type { Hit } from "./fixed-window.ts";

/** The fixed window of `fixed-window.ts`, counted by all instances together. One command, so that none is lost between two. */
const script = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { count, left }`;

/** Null: Redis is away, and each instance counts for itself until it is back. */
export async function hitShared(key: string, lengthMs: number): Promise<Hit | null> {
  const answer = await withRedis((redis) => redis.eval(script, 1, `engawa:limit:${key}`, lengthMs));
  sayWhoCounts(Array.isArray(answer));
  return Array.isArray(answer) ? { count: Number(answer[0]), resetsInMs: Number(answer[1]) } : null;
}

let isShared = true;
let saidAt = Number.NEGATIVE_INFINITY;

/** When it changes, and no more often than one reads: a Redis that comes and goes would fill the log. */
function sayWhoCounts(isSharedNow: boolean) {
  if (isSharedNow === isShared || (!isSharedNow && Date.now() - saidAt < minutes(1))) return;
  isShared = isSharedNow;
  if (isShared) return log.info("Redis answers again: instances share their limits");
  saidAt = Date.now();
  log.warn("Redis does not answer: each instance counts requests for itself");
}
