import { createHash } from "node:crypto";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { mebibytes } from "../../platform/byte-size.ts";
import { diskCache } from "../../platform/disk-cache.server.ts";
import { hours } from "../../platform/duration.ts";
import { env } from "../../platform/env.server.ts";
import { counter, gauge } from "../../platform/metrics.server.ts";
import { pack, unpack } from "../../platform/packed.ts";
import { withRedis } from "../../platform/redis.server.ts";
import type { Reach } from "../../platform/safe-fetch.server.ts";
import type { ImageFormat } from "./image-spec.ts";

/** A finished image and what is known of it. */
export type Kept = {
  bytes: Buffer;
  format: ImageFormat;
  tag: string;
  storedAt: number;
  /** Where it came from: what a private upstream gave stays in memory, and with those who may ask for it. */
  reach: Reach;
  /** What our own addresses gave may change sooner than what others did. */
  freshForMs: number;
};

export const freshFor = hours(24);
/** While the upstream fails, a result is given this much longer. */
const staleFor = hours(24);

const memory = new LRUCache<string, Kept>({
  maxSize: mebibytes(256),
  sizeCalculation: ({ bytes }, key) => bytes.length + key.length * 2 + 400,
});
const disk = diskCache<Omit<Kept, "bytes">>(join(env.DATA_DIR, "image-cache"), mebibytes(2048));

const lookups = counter("images_cache_lookups_total", "Results asked of the image cache", ["layer"]);
gauge("images_cache_memory_bytes", "Bytes of results in memory", () => memory.calculatedSize);
gauge("images_cache_disk_bytes", "Bytes of results on disk", () => disk.bytes());

export async function findKept(key: string): Promise<Kept | null> {
  const inMemory = memory.get(key);
  if (inMemory) {
    lookups.inc({ layer: "memory" });
    return inMemory;
  }
  const onDisk = await disk.get(key);
  const stored = onDisk ?? (await findShared(key));
  lookups.inc({ layer: onDisk ? "disk" : stored ? "redis" : "none" });
  if (!stored) return null;
  const kept = { ...stored.header, bytes: stored.bytes };
  memory.set(key, kept);
  return kept;
}

export function keep(key: string, result: Omit<Kept, "tag" | "storedAt">): Kept {
  const kept: Kept = { ...result, tag: tagOf(result.bytes), storedAt: Date.now() };
  memory.set(key, kept);
  const { bytes, ...header } = kept;
  if (kept.reach === "public" || kept.reach === "own") {
    void disk.set(key, header, bytes);
    void share(key, header, bytes);
  }
  return kept;
}

/** What other instances made. */
const findShared = (key: string) =>
  withRedis(async (redis) => {
    const packed = await redis.getBuffer(sharedName(key));
    return packed && unpack<Omit<Kept, "bytes">>(packed, key);
  });

async function share(key: string, header: Omit<Kept, "bytes">, bytes: Buffer) {
  const lifetime = header.freshForMs + staleFor;
  await withRedis((redis) => redis.set(sharedName(key), pack(key, header, bytes), "PX", lifetime));
}

const sharedName = (key: string) => `engawa:image:${createHash("sha256").update(key).digest("base64url")}`;

export function drop(key: string) {
  memory.delete(key);
  void disk.remove(key);
  void withRedis((redis) => redis.del(sharedName(key)));
}

/** Milliseconds it stays fresh; less than nothing once it is stale. */
export const freshness = ({ storedAt, freshForMs }: Kept) => storedAt + freshForMs - Date.now();
export const isUsable = (kept: Kept) => freshness(kept) > -staleFor;

const tagOf = (bytes: Buffer) => `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
