import { join } from "node:path";
import { DiskCache } from "#app/platform/cache/disk-cache.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { getFreeDiskBytes, minFreeDiskBytes } from "#app/platform/process/free-disk.server.ts";
import { mebibytes } from "#app/platform/units.ts";
import { filmCacheSize } from "./film-cache-size.ts";

/**
 * Converted segments, extracted subtitles, and the Matroska files of films that only ffmpeg reads. All of them take long
 * to make again. The operator may delete the folder.
 */
export const filmCache = new DiskCache<{ made: true }>(join(env.DATA_DIR, "film-cache"), getFilmCacheSize);
gauge("film_cache_bytes", "Bytes of converted films and extracted subtitles on disk", () =>
  filmCache.bytes(),
);

async function getFilmCacheSize(storedBytes: number): Promise<number> {
  if (env.FILM_CACHE_SIZE !== undefined) return mebibytes(env.FILM_CACHE_SIZE);
  return filmCacheSize((await getFreeDiskBytes()) - minFreeDiskBytes + storedBytes);
}
