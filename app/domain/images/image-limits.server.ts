import { env } from "#app/platform/process/env.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { mebibytes } from "#app/platform/units.ts";

/** The number of child processes and the size of the memory cache depend on MEMORY. */
export const imageLimits = {
  children: memoryPlan.renderChildren,
  queueLength: env.IMAGE_QUEUE ?? 200,
  diskCacheBytes: mebibytes(env.IMAGE_CACHE_MB ?? 2048),
  memoryCacheBytes: mebibytes(memoryPlan.imageCache),
};
