import { minFilmCacheMb } from "#app/domain/playback/playback.server.ts";
import { createLargeBodies } from "#app/http/server/large-bodies.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { mebibytes } from "#app/platform/units.ts";

const quarterBytes = mebibytes(memoryPlan.filmSegments / 4);

/** The film segments that are being sent. A viewer reads a segment for seconds, on a bad line for minutes. */
export const filmSegments = createLargeBodies({
  // The film cache deletes what a killed process left in its folder.
  folder: "film-cache/sent",
  memoryBytes: quarterBytes,
  movingBytes: quarterBytes + mebibytes(memoryPlan.movingSegments),
  fileBytes: mebibytes((env.FILM_CACHE_SIZE ?? minFilmCacheMb) / 4),
});
gauge("film_segments_sending", "Segments of films that viewers are reading", filmSegments.readers);
