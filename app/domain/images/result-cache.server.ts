import { createHash } from "node:crypto";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { DiskCache } from "#app/platform/cache/disk-cache.server.ts";
import { packKeyedBytes, unpackKeyedBytes } from "#app/platform/cache/keyed-bytes.ts";
import { deleteSharedBytes, findSharedBytes, shareBytes } from "#app/platform/cache/shared-bytes.server.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { hours, mebibytes, minutes } from "#app/platform/units.ts";
import type { UpstreamReach } from "#app/platform/upstream/safe-fetch.server.ts";
import type { ImageFormat } from "./image-spec.ts";

export type CachedImage = {
  bytes: Buffer;
  format: ImageFormat;
  tag: string;
  storedAt: number;
  /** Images from a private upstream stay in memory and are served only to clients that may reach that upstream. */
  reach: UpstreamReach;
  /** Pictures from this service's own URLs may have a shorter freshness than those of other servers. */
  freshForMs: number;
};

export const freshForMs = hours(24);
/** A stale image is served for this much longer while the upstream fails. */
const maxStaleMs = hours(24);

/** The tolerated clock difference between instances that share images. */
const maxClockDifferenceMs = minutes(1);

const memory = new LRUCache<string, CachedImage>({
  maxSize: mebibytes(memoryPlan.imageCache),
  sizeCalculation: ({ bytes }, key) => bytes.length + key.length * 2 + 400,
});
const disk = new DiskCache<Omit<CachedImage, "bytes">>(
  join(env.DATA_DIR, "image-cache"),
  mebibytes(env.IMAGE_CACHE_MB),
);

const lookups = counter(
  "images_cache_lookups_total",
  "Lookups in the image cache, by the layer that had the image",
  ["layer"],
);
gauge("images_cache_memory_bytes", "Bytes of converted images in memory", () => memory.calculatedSize);
gauge("images_cache_disk_bytes", "Bytes of converted images on disk", () => disk.bytes());

export async function findCachedImage(key: string): Promise<CachedImage | null> {
  const inMemory = memory.get(key);
  if (inMemory) {
    lookups.inc({ layer: "memory" });
    return inMemory;
  }
  const onDisk = await disk.get(key);
  // A damaged value in Redis counts as missing.
  const stored = onDisk ?? (await findSharedImage(key).catch(() => null));
  lookups.inc({ layer: onDisk ? "disk" : stored ? "redis" : "none" });
  if (!stored) return null;
  const cached = { ...stored.header, bytes: stored.bytes };
  memory.set(key, cached);
  return cached;
}

export function cacheImage(key: string, result: Omit<CachedImage, "tag" | "storedAt">): CachedImage {
  const cached: CachedImage = { ...result, tag: tagOf(result.bytes), storedAt: Date.now() };
  memory.set(key, cached);
  const { bytes, ...header } = cached;
  if (cached.reach === "public" || cached.reach === "own") {
    void disk.set(key, header, bytes);
    void shareImage(key, header, bytes);
  }
  return cached;
}

/** Finds an image converted by another instance. */
async function findSharedImage(key: string) {
  const packed = await findSharedBytes(sharedName(key));
  return packed && unpackKeyedBytes<Omit<CachedImage, "bytes">>(packed, key);
}

const shareImage = (key: string, header: Omit<CachedImage, "bytes">, bytes: Buffer) =>
  shareBytes(sharedName(key), packKeyedBytes(key, header, bytes), header.freshForMs + maxStaleMs);

const sharedName = (key: string) => `engawa:image:${createHash("sha256").update(key).digest("base64url")}`;

export function deleteCachedImage(key: string) {
  memory.delete(key);
  void disk.remove(key);
  void deleteSharedBytes(sharedName(key));
}

/**
 * Negative once the image is stale. Also negative if `storedAt` is in the future: the clock was set back, so the
 * image's age is unknown.
 */
export function remainingFreshMs({ storedAt, freshForMs }: CachedImage): number {
  const ageMs = Date.now() - storedAt;
  return ageMs < -maxClockDifferenceMs ? -1 : freshForMs - ageMs;
}
export const isUsableWhileStale = (cached: CachedImage) => remainingFreshMs(cached) > -maxStaleMs;

const tagOf = (bytes: Buffer) => `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
