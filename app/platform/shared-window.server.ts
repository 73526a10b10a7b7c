import type { Hit } from "./fixed-window.ts";
import { log } from "./log.server.ts";
import { withRedis } from "./redis.server.ts";

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
  if (!Array.isArray(answer)) {
    log.warnOnce("shared-limits", "Redis does not answer: each instance counts requests for itself");
    return null;
  }
  return { count: Number(answer[0]), resetsInMs: Number(answer[1]) };
}
