import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { BitmapFileJob, BitmapJob } from "#app/media/subtitles/bitmaps.ts";
import type { SubtitleJob } from "#app/media/subtitles/subtitle-text.ts";
import { isTooLargeForThread, PoolOverloaded, type Turn } from "#app/platform/limits/thread-pool.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { runOnThread } from "#app/platform/process/text-thread.server.ts";
import { mebibytes } from "#app/platform/units.ts";

/** Writes subtitles on a thread, because a script can be as long as a book and pictures have megabytes. */

/** The largest known scripts, which write signs frame by frame, have half of this size. */
export const maxSubtitleBytes = Math.min(mebibytes(16), mebibytes(memoryPlan.playlists) / 4);

/** An episode of 24 minutes has about 10 MiB of pictures, a long film of a disc about 30. */
export const maxBitmapBytes = mebibytes(memoryPlan.playlists) / 4;

export const largeSubtitles = refuse("too_large", "The subtitles are too large");
export const busySubtitles = refuse("overloaded", "Too many subtitles at once; try again shortly");

export async function writeOnThread(
  job: SubtitleJob | BitmapJob | BitmapFileJob,
  turn: Turn,
): Promise<Outcome<Buffer>> {
  try {
    const { buffer, byteOffset, byteLength } = await runOnThread<Uint8Array>(job, turn);
    const isTooLarge = job.kind !== "subtitles" && byteLength === 0;
    return isTooLarge ? largeSubtitles : done(Buffer.from(buffer, byteOffset, byteLength));
  } catch (error) {
    if (error instanceof PoolOverloaded) return busySubtitles;
    if (isTooLargeForThread(error)) return largeSubtitles;
    throw error;
  }
}
