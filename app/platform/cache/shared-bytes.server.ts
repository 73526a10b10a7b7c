import { kibibytes, mebibytes } from "../units.ts";
import { withRedis } from "./redis.server.ts";

/**
 * Bytes that instances share through Redis. Visitors' requests decide what is stored, so all values together have a
 * limit: other programs may use the same REDIS_URL, or it may have no `maxmemory`.
 */

export const maxSharedBytes = mebibytes(40);
const maxValueBytes = mebibytes(2);
/**
 * The memory that Redis needs for a key, its place in the order and its size, with reserve for other versions of Redis.
 */
const overheadBytes = kibibytes(0.5);

const orderName = "engawa:shared:order";
const sizesName = "engawa:shared:sizes";

/**
 * Stores a value and deletes the oldest values that no longer fit. This is one script, because a total that another
 * instance changes in between would stay wrong. An expired value still counts until it is the oldest.
 */
const storeScript = `
local name, order, sizes = KEYS[1], KEYS[2], KEYS[3]
local size = #ARGV[1] + tonumber(ARGV[4])
local before = tonumber(redis.call('HGET', sizes, name) or '0')
local total = redis.call('HINCRBY', sizes, 'total', size - before)
redis.call('HSET', sizes, name, size)
redis.call('ZADD', order, redis.call('HINCRBY', sizes, 'stored', 1), name)
redis.call('SET', name, ARGV[1], 'PX', ARGV[2])
while total > tonumber(ARGV[3]) do
  local oldest = redis.call('ZPOPMIN', order)[1]
  if not oldest then break end
  total = redis.call('HINCRBY', sizes, 'total', -tonumber(redis.call('HGET', sizes, oldest) or '0'))
  redis.call('HDEL', sizes, oldest)
  redis.call('DEL', oldest)
end
for _, key in ipairs({order, sizes}) do
  if redis.call('PTTL', key) < tonumber(ARGV[2]) then redis.call('PEXPIRE', key, ARGV[2]) end
end
return total`;

const deleteScript = `
redis.call('ZREM', KEYS[2], KEYS[1])
local size = tonumber(redis.call('HGET', KEYS[3], KEYS[1]) or '0')
if size > 0 then
  redis.call('HINCRBY', KEYS[3], 'total', -size)
  redis.call('HDEL', KEYS[3], KEYS[1])
end
return redis.call('DEL', KEYS[1])`;

export async function shareBytes(name: string, bytes: Buffer, lifetimeMs: number): Promise<void> {
  if (bytes.length > maxValueBytes) return;
  await withRedis((redis) =>
    redis.eval(
      storeScript,
      3,
      name,
      orderName,
      sizesName,
      bytes,
      Math.ceil(lifetimeMs),
      maxSharedBytes,
      overheadBytes,
    ),
  );
}

/** Null if there is no value, or if Redis does not answer. */
export const findSharedBytes = (name: string): Promise<Buffer | null> =>
  withRedis((redis) => redis.getBuffer(name));

export async function deleteSharedBytes(name: string): Promise<void> {
  await withRedis((redis) => redis.eval(deleteScript, 3, name, orderName, sizesName));
}
