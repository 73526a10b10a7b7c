import { kibibytes, mebibytes } from "../units.ts";
import { withRedis } from "./redis.server.ts";

/**
 * Bytes that instances share through Redis. Visitors decide what is stored here, so all values together have a limit of
 * their own: REDIS_URL may belong to other programs as well, or have no `maxmemory`.
 */

export const maxSharedBytes = mebibytes(40);
const maxValueBytes = mebibytes(2);
/** What Redis needs for a key, its place in the order and its size, with room for a change of its version. */
const overheadBytes = kibibytes(0.5);

const orderName = "engawa:shared:order";
const sizesName = "engawa:shared:sizes";

/**
 * Stores a value and deletes the oldest ones that no longer fit. It is one script, since a count that another instance
 * changes in between would be wrong for good. A value whose time ended still counts until it is the oldest.
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

/** Null if there is none, or if Redis does not answer. */
export const findSharedBytes = (name: string): Promise<Buffer | null> =>
  withRedis((redis) => redis.getBuffer(name));

export async function deleteSharedBytes(name: string): Promise<void> {
  await withRedis((redis) => redis.eval(deleteScript, 3, name, orderName, sizesName));
}
