import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodedSamples, planConvertedSound } from "#app/media/converting/converted-track.ts";
import { ffmpegArguments } from "#app/media/converting/ffmpeg-arguments.ts";
import { ordinaryLook } from "#app/media/converting/picture-look.ts";
import { makeFilm, pitchAt } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const rate = 48_000;

function runFfmpeg(args: readonly string[], input: Buffer): Buffer {
  const { stdout, stderr, status } = spawnSync("ffmpeg", args, { input, maxBuffer: 2 ** 26 });
  expect(status, `${stderr}`).toBe(0);
  return stdout;
}

/** The rises above zero in half a second, doubled. */
function pitchOf(samples: Float32Array, from: number): number {
  const part = samples.subarray(from * rate, (from + 0.5) * rate);
  return 2 * part.filter((value, at) => value >= 0 && (part[at - 1] ?? 0) < 0).length;
}

test.each([44_100, 48_000])("sound of %i Hz that is converted from its middle on is in time", (hertz) => {
  const films = join(temporaryFolder("films"), "films");
  mkdirSync(films);
  const file = makeFilm(films, `${hertz}.mkv`, {
    content: "bars",
    picture: ["-c:v", "libx264", "-preset", "ultrafast"],
    sounds: [{ codec: "libmp3lame", options: ["-ar", `${hertz}`] }],
    // A converter gets a single track.
    remux: ["-vn"],
  });
  const segments = planConvertedSound([{ seconds: 0, at: 0 }], 30);
  const track = { kind: "sound" as const, track: 2, segments, channels: 2 };
  const { from, to } = encodedSamples(segments, 3);
  const encoded = runFfmpeg(
    ffmpegArguments({ format: "matroska", track, isSmall: false }, 3, ordinaryLook, []),
    readFileSync(file),
  );
  const decoding = ["-v", "error", "-f", "aac", "-i", "pipe:0", "-f", "f32le", "-ac", "1", "pipe:1"];
  const bytes = runFfmpeg(decoding, encoded);
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  expect(samples.length / rate).toBeCloseTo((to - from) / rate, 0);
  for (const second of [20.5, 24.5, 28.5])
    expect(Math.abs(pitchOf(samples, second - from / rate) - pitchAt(0, second))).toBeLessThan(10);
});
