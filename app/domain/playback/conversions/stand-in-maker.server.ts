import { spawn } from "node:child_process";
import { type FileHandle, open } from "node:fs/promises";
import {
  describingArguments,
  type FoundStreams,
  readProgress,
  readStreams,
} from "#app/media/converting/stand-in-arguments.ts";
import type { RemuxedContainer } from "#app/media/film/other-containers.ts";
import type { FilmVersion } from "#app/media/film-work/film-job.ts";
import { killAtExit } from "#app/platform/process/child-life.server.ts";
import { lowerPriority } from "#app/platform/process/child-pool.server.ts";
import { bareEnvironment } from "#app/platform/process/env.server.ts";
import { ffmpegCommand } from "#app/platform/process/ffmpeg.server.ts";
import { hasFreeDisk } from "#app/platform/process/free-disk.server.ts";
import { kibibytes, mebibytes, minutes } from "#app/platform/units.ts";
import { residentBytes } from "./converter.server.ts";
import { ffmpegLimits } from "./ffmpeg-limits.ts";

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
/** Characters of the last reports about ffmpeg's progress. */
const maxOutput = kibibytes(4);

const diskIsFull = "the disk is too full";

type Limits = { memoryMb: number; signal: AbortSignal };

export async function describeFilm(
  film: FileHandle,
  container: RemuxedContainer,
  limits: Limits,
): Promise<FoundStreams> {
  const { text } = await run(describingArguments(container), [film.fd], {
    ...limits,
    maxMs: maxDescribeMs,
    maxText: maxDescription,
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
  const { code, text } = await run(args, [film.fd, made.fd], {
    ...limits,
    maxMs: ffmpegLimits.maxRunMs,
    maxText: ffmpegLimits.maxExplanation,
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

type Run = Limits & {
  maxMs: number;
  /** Characters of the error output that are returned. */
  maxText: number;
  onOutput?(text: string): void;
  /** Called every half second. Returns why ffmpeg must end, or null. */
  findTrouble?(): Promise<string | null>;
};

/** `descriptors` are 3 and 4 in ffmpeg. Throws MakingFailed if it was killed. */
async function run(
  args: readonly string[],
  descriptors: readonly number[],
  { memoryMb, signal, maxMs, maxText, onOutput, findTrouble }: Run,
): Promise<{ code: number | null; text: string }> {
  signal.throwIfAborted();
  const child = spawn(...ffmpegCommand(args), {
    stdio: ["ignore", onOutput ? "pipe" : "ignore", "pipe", ...descriptors],
    env: bareEnvironment,
  });
  lowerPriority(child, 5);
  killAtExit(child);
  let trouble: string | null = null;
  const kill = (why: string) => {
    trouble ??= why;
    child.kill("SIGKILL");
  };
  const leave = () => kill("nobody waits for it");
  signal.addEventListener("abort", leave, { once: true });
  const startedAt = performance.now();
  const watch = setInterval(() => {
    if (residentBytes(child.pid) > mebibytes(memoryMb)) kill("it took too much memory");
    else if (performance.now() - startedAt > maxMs) kill("it took too long");
    else
      findTrouble?.().then(
        (found) => found !== null && kill(found),
        (error) => kill(String(error)),
      );
  }, ffmpegLimits.checkIntervalMs).unref();
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(0, maxText);
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-maxOutput);
    onOutput?.(output);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("close", resolve).once("error", reject);
    });
    if (trouble !== null) throw new MakingFailed(trouble, { isOfDisk: trouble === diskIsFull });
    return { code, text };
  } finally {
    clearInterval(watch);
    signal.removeEventListener("abort", leave);
  }
}
