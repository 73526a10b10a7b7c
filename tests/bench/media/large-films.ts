import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

type LargeFilm = { bitsPerSecond: number; minutes: number };

const loopSeconds = 16;

/** Makes a film with 1080 lines and the bit rate of a real one, from noise. A short film is repeated to the full length. */
export function makeLargeFilm(folder: string, name: string, { bitsPerSecond, minutes }: LargeFilm): string {
  const [loop, file] = [join(folder, "loop.mkv"), join(folder, name)];
  const ffmpeg = (...options: string[]) => execFileSync("ffmpeg", ["-v", "error", "-y", ...options]);
  const noise = `testsrc2=s=1920x1080:r=24:d=${loopSeconds},noise=alls=12:allf=t`;
  const rate = String(bitsPerSecond - soundBitsPerSecond);
  ffmpeg(
    ...["-f", "lavfi", "-i", noise, "-f", "lavfi", "-i", `sine=f=440:r=48000:d=${loopSeconds}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "96", "-bf", "2"],
    ...["-b:v", rate, "-maxrate", rate, "-bufsize", rate, "-c:a", "aac", "-b:a", String(soundBitsPerSecond)],
    loop,
  );
  const times = Math.ceil((minutes * 60) / loopSeconds);
  ffmpeg("-stream_loop", String(times - 1), "-i", loop, "-map", "0", "-c", "copy", file);
  rmSync(loop);
  return file;
}

const soundBitsPerSecond = 192_000;
