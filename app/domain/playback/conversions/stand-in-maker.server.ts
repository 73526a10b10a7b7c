import { type FileHandle, open } from "node:fs/promises";
import {
  describingArguments,
  type FoundStreams,
  readProgress,
  readStreams,
} from "#app/media/converting/stand-in-arguments.ts";
import type { RemuxedContainer } from "#app/media/film/other-containers.ts";
import type { FilmVersion } from "#app/media/film-work/film-job.ts";
import { hasFreeDisk } from "#app/platform/process/free-disk.server.ts";
import { kibibytes, minutes } from "#app/platform/units.ts";
import { type FfmpegOptions, ffmpegLimits, runFfmpeg } from "./run-ffmpeg.server.ts";

/**
 * Runs ffmpeg on a whole film. It gets the film's file as an open descriptor, and is killed when it takes too much
 * memory, time or disk, or makes no progress.
 */

/** The message is for the log. `isOfDisk`: the disk is to blame, not the film. */
export class MakingFailed extends Error {
  override name = "MakingFailed";
  readonly isOfDisk: boolean;
  constructor(message: string, { isOfDisk = false } = {}) {
    super(message);
    this.isOfDisk = isOfDisk;
  }
}

/** Opens this version of the film. Throws if another file has taken its place. */
export async function openFilmFile({ file, id, size, modifiedMs }: FilmVersion): Promise<FileHandle> {
  const handle = await open(file, "r");
  const stats = await handle.stat();
  const isSame =
    stats.isFile() &&
    (id === undefined || id === `${stats.dev}:${stats.ino}`) &&
    stats.size === size &&
    Math.trunc(stats.mtimeMs) === modifiedMs;
  if (isSame) return handle;
  await handle.close();
  throw new MakingFailed("the film has changed");
}

const maxDescribeMs = minutes(1);
/** Characters of ffmpeg's description that are read. */
const maxDescription = kibibytes(256);

const diskIsFull = "the disk is too full";

type Limits = Pick<FfmpegOptions, "memoryMb" | "signal">;

export async function describeFilm(
  film: FileHandle,
  container: RemuxedContainer,
  limits: Limits,
): Promise<FoundStreams> {
  const { text } = await run(describingArguments(container), {
    ...limits,
    descriptors: [film.fd],
    maxMs: maxDescribeMs,
    keepText: (description) => description.slice(0, maxDescription),
  });
  return readStreams(text);
}

type MakeOptions = Limits & {
  args: readonly string[];
  /** The file to write. */
  made: FileHandle;
  maxBytes: number;
  onProgress(progress: { seconds: number; bytes: number }): void;
};

export async function makeFile(
  film: FileHandle,
  { args, made, maxBytes, onProgress, ...limits }: MakeOptions,
) {
  let last = "";
  let changedAt = performance.now();
  const { code, text } = await run(args, {
    ...limits,
    descriptors: [film.fd, made.fd],
    maxMs: ffmpegLimits.maxRunMs,
    keepText: (explanation) => explanation.slice(0, ffmpegLimits.maxExplanation),
    onOutput(output) {
      const progress = readProgress(output);
      const state = JSON.stringify(progress);
      if (!progress || state === last) return;
      last = state;
      changedAt = performance.now();
      onProgress(progress);
    },
    async findTrouble() {
      if (performance.now() - changedAt > ffmpegLimits.maxSilenceMs) return "it made no progress";
      if ((await made.stat()).size > maxBytes) return "the file became too large";
      return (await hasFreeDisk()) ? null : diskIsFull;
    },
  });
  if (code !== 0) throw new MakingFailed(`it ended with ${code ?? "a signal"}: ${text}`);
  // ffmpeg ends without an error when the file has the largest permitted size.
  if ((await made.stat()).size >= maxBytes) throw new MakingFailed("the file became too large");
}

/** Throws MakingFailed if ffmpeg was killed or could not start. */
async function run(args: readonly string[], options: FfmpegOptions) {
  options.signal.throwIfAborted();
  const { trouble, ...result } = await runFfmpeg(args, options);
  if (trouble !== null) throw new MakingFailed(trouble, { isOfDisk: trouble === diskIsFull });
  return result;
}
