import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { killAtExit } from "#app/platform/process/child-life.server.ts";
import { lowerPriority } from "#app/platform/process/child-pool.server.ts";
import { bareEnvironment } from "#app/platform/process/env.server.ts";
import { ffmpegCommand } from "#app/platform/process/ffmpeg.server.ts";
import { hours, kibibytes, mebibytes, minutes, seconds } from "#app/platform/units.ts";

/** The limits of every ffmpeg that converts a film. */
export const ffmpegLimits = {
  maxRunMs: hours(6),
  /** An ffmpeg that makes no progress for longer is killed. */
  maxSilenceMs: minutes(1),
  /** How often its memory and its time are checked. */
  checkIntervalMs: seconds(0.5),
  /** Characters of its error output that are logged. ffmpeg explains a failure in its first lines. */
  maxExplanation: 500,
};

/** Characters of the last reports about ffmpeg's progress. */
const maxOutput = kibibytes(4);

export type FfmpegOptions = {
  /** Open files, which are 3, 4 and so on in ffmpeg. */
  descriptors?: readonly number[];
  memoryMb: number;
  maxMs: number;
  signal: AbortSignal;
  /** Returns the part of the error output that is kept. */
  keepText(text: string): string;
  /** Writes the standard input. It is destroyed when ffmpeg has ended. */
  feed?(input: Writable): void;
  onOutput?(text: string): void;
  /** Called every half second. Returns why ffmpeg must end, or null. */
  findTrouble?(): Promise<string | null>;
};

/** `code` is null if a signal ended ffmpeg. `trouble`: why this site killed it, or why it could not start. */
type FfmpegResult = { code: number | null; text: string; trouble: string | null };

/** Runs ffmpeg to its end. It is killed when it takes too much memory or time, or when the signal aborts. */
export async function runFfmpeg(
  args: readonly string[],
  { descriptors = [], memoryMb, maxMs, signal, keepText, feed, onOutput, findTrouble }: FfmpegOptions,
): Promise<FfmpegResult> {
  const child = spawn(...ffmpegCommand(args), {
    stdio: [feed ? "pipe" : "ignore", onOutput ? "pipe" : "ignore", "pipe", ...descriptors],
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
    text = keepText(text + chunk.toString());
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-maxOutput);
    onOutput?.(output);
  });
  child.stdin?.on("error", () => {});
  if (child.stdin) feed?.(child.stdin);
  const code = await new Promise<number | null>((resolve) => {
    child.once("close", resolve).once("error", (error) => {
      trouble ??= error.message;
      resolve(null);
    });
  });
  clearInterval(watch);
  signal.removeEventListener("abort", leave);
  child.stdin?.destroy();
  return { code, text, trouble };
}

/** The process's memory according to /proc; 0 on systems without it. */
export function residentBytes(pid: number | undefined): number {
  try {
    const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ");
    return Number(pages) * kibibytes(4);
  } catch {
    return 0;
  }
}
