import { availableParallelism } from "node:os";
import { env } from "#app/platform/process/env.server.ts";
import { mebibytes } from "#app/platform/units.ts";

/** The defaults of IMAGE_CHILDREN, IMAGE_QUEUE, IMAGE_CACHE_MB and IMAGE_CACHE_MEMORY_MB on this machine. */
function defaultLimits() {
  return {
    // With one child, quick conversions would wait for slow ones.
    children: Math.max(2, availableParallelism()),
    queueLength: 200,
    diskCacheMb: 2048,
    memoryCacheMb: 256,
  };
}

const defaults = defaultLimits();

export const imageLimits = {
  children: env.IMAGE_CHILDREN ?? defaults.children,
  queueLength: env.IMAGE_QUEUE ?? defaults.queueLength,
  diskCacheBytes: mebibytes(env.IMAGE_CACHE_MB ?? defaults.diskCacheMb),
  memoryCacheBytes: mebibytes(env.IMAGE_CACHE_MEMORY_MB ?? defaults.memoryCacheMb),
};
