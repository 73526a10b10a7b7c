import { join } from "node:path";
import { DiskCache } from "#app/platform/cache/disk-cache.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { mebibytes } from "#app/platform/units.ts";

/** Converted segments and extracted subtitles, which take long to make again. The operator may delete the folder. */
export const filmCache = new DiskCache<{ made: true }>(
  join(env.DATA_DIR, "film-cache"),
  mebibytes(env.FILM_CACHE_SIZE),
);
gauge("film_cache_bytes", "Bytes of converted films and extracted subtitles on disk", () =>
  filmCache.bytes(),
);
