import { type ChildProcess, spawn } from "node:child_process";
import { LRUCache } from "lru-cache";
import type { SoundJob } from "#app/media/converting/convert-sound.ts";
import { assemble, encodedSamples } from "#app/media/converting/converted-track.ts";
import { ffmpegArguments, lookArguments } from "#app/media/converting/ffmpeg-arguments.ts";
import { ordinaryLook, type PictureLook, readPictureLook } from "#app/media/converting/picture-look.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { lowerPriority } from "#app/platform/process/child-pool.server.ts";
import { bareEnvironment, env } from "#app/platform/process/env.server.ts";
import { canMapTones, findFfmpeg } from "#app/platform/process/ffmpeg.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";
import { type ConversionSource, feedConverter } from "./converter-input.server.ts";
import { ffmpegLimits, residentBytes, runFfmpeg } from "./run-ffmpeg.server.ts";

/** A child process that converts one track from a given segment on. It is killed when it takes too much memory or time. */

type Events = {
  onInit(bytes: Buffer): void;
  onSegment(sequence: number, bytes: Buffer): void;
  /** Called when no more segments follow: the track has ended, or the converter failed or was stopped. */
  onEnd(): void;
};

export type Converter = { pause(): void; resume(): void; stop(): void };

export function startConverter(source: ConversionSource, first: number, events: Events): Converter {
  let converter: Converter | null = null;
  let isPaused = false;
  const stopped = new AbortController();
  lookAtPicture(source, stopped.signal)
    .then((look) => {
      if (stopped.signal.aborted) return;
      converter = convertFrom(source, first, look, events);
      if (isPaused) converter.pause();
    })
    // `spawn` throws when an argument is too long, for example the list of key frames of a film of twenty hours. An
    // unhandled rejection would end the server.
    .catch((error) => {
      log.warn("a film could not be converted", { kind: source.track.kind, ...errorFields(error) });
      events.onEnd();
    });
  return {
    pause() {
      isPaused = true;
      converter?.pause();
    },
    resume() {
      isPaused = false;
      converter?.resume();
    },
    stop() {
      stopped.abort();
      if (converter) converter.stop();
      else events.onEnd();
    },
  };
}

/** How pictures must be converted, by their files and tracks. */
const looks = new LRUCache<string, PictureLook>({ max: 500 });
const maxLookMs = seconds(20);
/** Characters of ffmpeg's description of a picture that are read. */
const maxDescription = kibibytes(64);

/**
 * Finds out how the picture must be converted. Looks at its middle, because films often begin with other pictures. Other
 * runs of the film get the same answer, so that their segments fit together.
 */
async function lookAtPicture(source: ConversionSource, signal: AbortSignal): Promise<PictureLook> {
  const { film, format, track } = source;
  if (track.kind !== "picture") return ordinaryLook;
  const key = `${film.file} ${film.size} ${film.modifiedMs} ${track.track}`;
  const known = looks.get(key);
  if (known) return known;
  const middle = Math.floor(track.segments.length / 2);
  let isFed = true;
  const { code, text } = await runFfmpeg(
    lookArguments({ format, track, isSmall: memoryPlan.hasSmallConverter }),
    {
      memoryMb: memoryPlan.pictureConverter,
      maxMs: maxLookMs,
      signal,
      keepText: (description) => description.slice(-maxDescription),
      feed(input) {
        void feedConverter(input, source, middle).catch(() => {
          isFed = false;
          input.destroy();
        });
      },
    },
  );
  const look = readPictureLook(text, { canMapTones: canMapTones() });
  // An ffmpeg that failed, was killed or did not get its part of the film has seen nothing, or only a part.
  if (isFed && code === 0) looks.set(key, look);
  return look;
}

function convertFrom(source: ConversionSource, first: number, look: PictureLook, events: Events): Converter {
  const child = spawnConverter(source, first, look);
  const { kind } = source.track;
  const limitMb = kind === "picture" ? memoryPlan.pictureConverter : memoryPlan.soundConverter;
  const startedAt = performance.now();
  let lastOutputAt = startedAt;
  let isPaused = false;
  let isOver = false;
  let explanation = "";
  const end = (failure: string | null) => {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    child.kill("SIGKILL");
    child.stdin?.destroy();
    child.stdout?.destroy();
    if (failure !== null) log.warn("a film could not be converted", { kind, failure, explanation });
    events.onEnd();
  };
  const assembler = assemble(source.track, first, events);
  const attempt = (step: () => void) => {
    try {
      if (!isOver) step();
    } catch (error) {
      end(error instanceof Error ? error.message : String(error));
    }
  };
  const watch = setInterval(() => {
    const now = performance.now();
    if (residentBytes(child.pid) > mebibytes(limitMb)) end("it took too much memory");
    else if (
      now - startedAt > ffmpegLimits.maxRunMs ||
      (!isPaused && now - lastOutputAt > ffmpegLimits.maxSilenceMs)
    )
      end("it took too long");
  }, ffmpegLimits.checkIntervalMs).unref();
  child.stdout?.on("data", (chunk: Buffer) => {
    lastOutputAt = performance.now();
    attempt(() => assembler.push(chunk));
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    explanation = (explanation + chunk.toString()).slice(0, ffmpegLimits.maxExplanation);
  });
  child.on("error", (error) => end(error.message));
  child.on("close", (code) => {
    if (code === 0) attempt(() => assembler.end());
    end(code === 0 ? null : `it ended with ${code ?? "a signal"}`);
  });
  if (!source.isOwn) void feedConverter(child.stdin, source, first).catch((error) => end(String(error)));
  return {
    pause() {
      isPaused = true;
      child.stdout?.pause();
    },
    resume() {
      if (isPaused) lastOutputAt = performance.now();
      isPaused = false;
      child.stdout?.resume();
    },
    stop: () => end(null),
  };
}

function spawnConverter(
  { film, format, track, isOwn }: ConversionSource,
  first: number,
  look: PictureLook,
): ChildProcess {
  const job = (channels: number): SoundJob => ({
    film,
    track: track.track,
    at: track.segments[first]?.at ?? 0,
    channels,
    ...encodedSamples(track.segments, first),
  });
  const [program, args] =
    isOwn && track.kind === "sound"
      ? [
          process.execPath,
          [
            `--max-old-space-size=${Math.floor(memoryPlan.soundConverter / 2)}`,
            ownFilePath("build/server/sound-child.js"),
            JSON.stringify(job(track.channels)),
          ],
        ]
      : [
          findFfmpeg() ?? "ffmpeg",
          ffmpegArguments(
            { format, track, isSmall: memoryPlan.hasSmallConverter },
            first,
            look,
            env.FFMPEG_ARGS,
          ),
        ];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], env: bareEnvironment });
  lowerPriority(child, 5);
  child.stdin?.on("error", () => {});
  child.stdout?.on("error", () => {});
  return child;
}
