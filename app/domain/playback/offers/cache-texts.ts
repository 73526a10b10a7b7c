import { mebibytes } from "#app/platform/units.ts";

/** How large the film cache has to be for a film, in words for viewers and operators. */

/** Rounded up, so that this size suffices. FILM_CACHE_SIZE has the same unit. */
export const mebibyteText = (bytes: number): string =>
  `${Math.ceil(bytes / mebibytes(1)).toLocaleString("en")} MiB`;

export const cacheText = (neededBytes: number, cacheBytes: number): string =>
  `It needs a cache of ${mebibyteText(neededBytes)}, and the cache may take ${mebibyteText(cacheBytes)}. If the disk has the room, the operator of this site can set FILM_CACHE_SIZE.`;
