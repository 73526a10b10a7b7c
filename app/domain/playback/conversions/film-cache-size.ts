import { mebibytes } from "#app/platform/units.ts";

/** The size of the film cache without FILM_CACHE_SIZE. The Matroska file of a DVD takes 4 to 8 GB, that of a Blu-ray disc more. */

const shareOfDisk = 1 / 4;
export const minFilmCacheMb = 2048;
const maxFilmCacheMb = 32_768;

/** `roomBytes`: the free disk beyond MIN_FREE_DISK, and what the cache already takes. Infinite: it is not known. */
export function filmCacheSize(roomBytes: number): number {
  const wanted = Number.isFinite(roomBytes) ? shareOfDisk * roomBytes : 0;
  return Math.min(mebibytes(maxFilmCacheMb), Math.max(mebibytes(minFilmCacheMb), wanted));
}

/** Rounded up, so that this size suffices. FILM_CACHE_SIZE has the same unit. */
export const mebibyteText = (bytes: number): string =>
  `${Math.ceil(bytes / mebibytes(1)).toLocaleString("en")} MiB`;

/** How large the film cache has to be for a film, in words for viewers and operators. */
export const cacheText = (neededBytes: number, cacheBytes: number): string =>
  `It needs a cache of ${mebibyteText(neededBytes)}, and the cache may take ${mebibyteText(cacheBytes)}. If the disk has the room, the operator of this site can set FILM_CACHE_SIZE.`;
