import { execFileSync } from "node:child_process";
import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Films made by ffmpeg: every three seconds the picture flashes and the sound beeps, for a tenth of a second. */

const flashEverySeconds = 3;
const filmSeconds = 30;

const run = (program: string, ...options: string[]) =>
  execFileSync(program, options, { maxBuffer: 256 * 1024 * 1024 });
const ffmpeg = (...options: string[]) => run("ffmpeg", "-v", "error", "-y", ...options);

type MadeSound = { codec: string; language?: string; channels?: 1 | 2 | 6; options?: readonly string[] };
export type MadeFilm = {
  seconds?: number;
  size?: string;
  framesPerSecond?: number;
  /** The film has a part for each of these instead, one after the other, so its rate changes. */
  rates?: readonly number[];
  /** ffmpeg's options of the picture. */
  picture: readonly string[];
  /** What happens to the picture after the flashes are drawn. */
  filter?: string;
  sounds: readonly MadeSound[];
  /** The sound begins so many seconds late. */
  soundAt?: number;
  other?: readonly string[];
  /** So often, one after the other. */
  times?: number;
  /** mkvmerge writes the file anew with these options. */
  mkvmerge?: readonly string[];
  /** Only this share of the file is there. */
  share?: number;
};

const layouts = { 1: "mono", 2: "stereo", 6: "5.1" };

export function makeFilm(folder: string, name: string, film: MadeFilm): string {
  const file = join(folder, name);
  if (film.rates) encodeParts(film, film.rates, file);
  else encode(film, file);
  const { times = 1, mkvmerge, share = 1 } = film;
  if (times > 1)
    remake(file, (made) =>
      ffmpeg("-stream_loop", String(times - 1), "-i", made, "-map", "0", "-c", "copy", file),
    );
  if (mkvmerge) remake(file, (made) => run("mkvmerge", "-q", ...mkvmerge, "-o", file, made));
  if (share < 1) truncateSync(file, Math.floor(share * statSync(file).size));
  return file;
}

function encodeParts(film: MadeFilm, rates: readonly number[], file: string) {
  const parts = rates.map((framesPerSecond, index) => {
    const part = file.replace(/(\.\w+)$/, `.part-${index}$1`);
    encode({ ...film, framesPerSecond }, part);
    return part;
  });
  const list = `${file}.txt`;
  writeFileSync(list, parts.map((part) => `file '${part}'`).join("\n"));
  ffmpeg("-f", "concat", "-safe", "0", "-i", list, "-map", "0", "-c", "copy", file);
  for (const made of [list, ...parts]) rmSync(made);
}

function remake(file: string, make: (made: string) => void) {
  const made = file.replace(/(\.\w+)$/, ".first$1");
  renameSync(file, made);
  make(made);
  rmSync(made);
}

function encode(film: MadeFilm, file: string) {
  const { seconds = filmSeconds, size = "320x180", framesPerSecond = 24 } = film;
  const { picture, filter, sounds, soundAt = 0, other = [] } = film;
  const isShown = `lt(mod(t\\,${flashEverySeconds})\\,0.1)`;
  const beep = `if(${isShown}\\,0.5*sin(2000*PI*t)\\,0)`;
  const inputs = sounds.flatMap(({ channels = 2 }) => {
    const exprs = Array(channels).fill(beep).join("|");
    const source = `aevalsrc=exprs='${exprs}':c=${layouts[channels]}:s=48000:d=${seconds - soundAt}`;
    return ["-itsoffset", String(soundAt), "-f", "lavfi", "-i", source];
  });
  const outputs = sounds.flatMap(({ codec, language = "und", options = [] }, at) => [
    ...["-map", `${at + 1}:a`, `-c:a:${at}`, codec, "-strict", "-2", ...options],
    ...[`-metadata:s:a:${at}`, `language=${language}`],
  ]);
  const flashes = `drawbox=color=white:t=fill:enable='${isShown}'`;
  ffmpeg(
    ...["-f", "lavfi", "-i", `color=black:s=${size}:r=${framesPerSecond}:d=${seconds}`, ...inputs],
    ...["-map", "0:v", "-vf", filter ? `${flashes},${filter}` : flashes],
    ...["-pix_fmt", "yuv420p", "-g", "48", ...picture],
    ...[...outputs, ...other, file],
  );
}
