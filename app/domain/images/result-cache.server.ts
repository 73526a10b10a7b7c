import { createHash } from "node:crypto";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { DiskCache } from "#app/platform/cache/disk-cache.server.ts";
import { packKeyedBytes, unpackKeyedBytes } from "#app/platform/cache/keyed-bytes.ts";
import { withRedis } from "#app/platform/cache/redis.server.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours, mebibytes } from "#app/platform/units.ts";
import type { UpstreamReach } from "#app/platform/upstream/safe-fetch.server.ts";
import type { ImageFormat } from "./image-spec.ts";

/** A finished image and what is known of it. */
export type CachedImage = {
  bytes: Buffer;
  format: ImageFormat;
  tag: string;
  storedAt: number;
  /** Where it came from: what a private upstream gave stays in memory, and with those who may ask for it. */
  reach: UpstreamReach;
  /** What our own addresses gave may change sooner than what others did. */
  freshForMs: number;
};

export const freshForMs = hours(24);
/** While the upstream fails, a result is given this much longer. */
const maxStaleMs = hours(24);

const memory = new LRUCache<string, CachedImage>({
  maxSize: mebibytes(256),
  sizeCalculation: ({ bytes }, key) => bytes.length + key.length * 2 + 400,
});
const disk = new DiskCache<Omit<CachedImage, "bytes">>(join(env.DATA_DIR, "image-cache"), mebibytes(2048));

const lookups = counter("images_cache_lookups_total", "Results asked of the image cache", ["layer"]);
gauge("images_cache_memory_bytes", "Bytes of results in memory", () => memory.calculatedSize);
gauge("images_cache_disk_bytes", "Bytes of results on disk", () => disk.bytes());

export async function findCachedImage(key: string): Promise<CachedImage | null> {
  const inMemory = memory.get(key);
  if (inMemory) {
    lookups.inc({ layer: "memory" });
    return inMemory;
  }
  const onDisk = await disk.get(key);
  const stored = onDisk ?? (await findSharedImage(key));
  lookups.inc({ layer: onDisk ? "disk" : stored ? "redis" : "none" });
  if (!stored) return null;
  const kept = { ...stored.header, bytes: stored.bytes };
  memory.set(key, kept);
  return kept;
}

export function cacheImage(key: string, result: Omit<CachedImage, "tag" | "storedAt">): CachedImage {
  const kept: CachedImage = { ...result, tag: tagOf(result.bytes), storedAt: Date.now() };
  memory.set(key, kept);
  const { bytes, ...header } = kept;
  if (kept.reach === "public" || kept.reach === "own") {
    void disk.set(key, header, bytes);
    void shareImage(key, header, bytes);
  }
  return kept;
}

/** What other instances made. */
const findSharedImage = (key: string) =>
  withRedis(async (redis) => {
    const packed = await redis.getBuffer(sharedName(key));
    return packed && unpackKeyedBytes<Omit<CachedImage, "bytes">>(packed, key);
  });

async function shareImage(key: string, header: Omit<CachedImage, "bytes">, bytes: Buffer) {
  const lifetime = header.freshForMs + maxStaleMs;
  await withRedis((redis) => redis.set(sharedName(key), packKeyedBytes(key, header, bytes), "PX", lifetime));
}

const sharedName = (key: string) => `engawa:image:${createHash("sha256").update(key).digest("base64url")}`;

export function deleteCachedImage(key: string) {
  memory.delete(key);
  void disk.remove(key);
  void withRedis((redis) => redis.del(sharedName(key)));
}

/** Milliseconds it stays fresh; less than nothing once it is stale. */
export const remainingFreshMs = ({ storedAt, freshForMs }: CachedImage) => storedAt + freshForMs - Date.now();
export const isUsableWhileStale = (kept: CachedImage) => remainingFreshMs(kept) > -maxStaleMs;

const tagOf = (bytes: Buffer) => `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
