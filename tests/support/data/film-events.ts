import { execFileSync } from "node:child_process";
import { expect } from "vitest";

/**
 * The times at which the picture of a generated film flashes and its sound beeps, measured by decoding the file with
 * ffmpeg.
 */

const read = (program: string, ...options: string[]) =>
  execFileSync(program, ["-v", "error", ...options], {
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });

const decode = (file: string, ...options: string[]) => read("ffmpeg", "-i", file, ...options, "-");

/** One row for each decoded frame. ffprobe prints other lines too. */
function framesOf(file: string, track: "v" | "a", ...fields: string[]): number[][] {
  const shown = ["-show_entries", `frame=${fields.join(",")}`, "-of", "csv=p=0", file];
  const rows = read("ffprobe", "-select_streams", track, ...shown)
    .toString()
    .split("\n");
  return rows.filter((row) => /^\d/.test(row)).map((row) => row.split(",").map(Number));
}

/** The times at which the picture becomes white, or the sound loud. */
function eventsOf(values: Iterable<{ seconds: number; isOn: boolean }>): number[] {
  const events: number[] = [];
  let lastOn = Number.NEGATIVE_INFINITY;
  for (const { seconds, isOn } of values) {
    if (isOn && seconds - lastOn > 1) events.push(seconds);
    if (isOn) lastOn = seconds;
  }
  return events;
}

export function flashesOf(file: string): number[] {
  const frames = framesOf(file, "v", "pts_time");
  const scaled = ["-map", "0:v", "-fps_mode", "passthrough", "-vf", "scale=16:16,format=gray"];
  const pixels = decode(file, ...scaled, "-f", "rawvideo");
  expect(pixels.length / 256).toBe(frames.length);
  return eventsOf(
    frames.map(([seconds = 0], index) => ({ seconds, isOn: (pixels[256 * index + 128] ?? 0) > 128 })),
  );
}

const samplesPerSecond = 48_000;

export function beepsOf(file: string): number[] {
  const frames = framesOf(file, "a", "pts_time", "nb_samples");
  const samples = decode(file, "-map", "0:a", "-ac", "1", "-f", "s16le");
  expect(samples.length / 2).toBe(frames.reduce((sum, [, count = 0]) => sum + count, 0));
  return eventsOf(timedSamples(frames, samples));
}

function* timedSamples(frames: readonly number[][], samples: Buffer) {
  let at = 0;
  for (const [seconds = 0, count = 0] of frames)
    for (let index = 0; index < count; index++, at += 2)
      yield { seconds: seconds + index / samplesPerSecond, isOn: Math.abs(samples.readInt16LE(at)) > 3000 };
}

/** The largest distance of an event to the nearest of the others. */
export const furthest = (events: readonly number[], others: readonly number[]) =>
  Math.max(...events.map((one) => Math.min(...others.map((other) => Math.abs(one - other)))));
