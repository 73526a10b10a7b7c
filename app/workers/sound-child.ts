import { convertSound, type SoundJob } from "#app/media/converting/convert-sound.ts";
import { withFilmFile } from "#app/media/film-work/film-work.ts";

/** A separate process that converts one sound track to AAC and writes it to its standard output, as ffmpeg would. */

const job = JSON.parse(process.argv[2] ?? "") as SoundJob;

const write = (bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) =>
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
  );

process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
process.stdin.on("error", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
try {
  await withFilmFile(job.film, (film) => convertSound(film, job, write));
  process.exit(0);
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error), () => process.exit(1));
}
