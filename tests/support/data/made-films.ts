import { constants, copyFileSync, statSync, truncateSync } from "node:fs";
import { extname, join } from "node:path";
import { type Command, encodedOnce } from "#tests/support/data/encoded-once.ts";

/** Films made by ffmpeg: every three seconds the picture flashes and the sound beeps, for a tenth of a second. */

const flashEverySeconds = 3;
const filmSeconds = 30;

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
  /** Text files that mkvmerge's options name. */
  texts?: Readonly<Record<string, string>>;
  /** Only this share of the file is there. */
  share?: number;
};

const layouts = { 1: "mono", 2: "stereo", 6: "5.1" };

export function makeFilm(folder: string, name: string, film: MadeFilm): string {
  const file = join(folder, name);
  copyFileSync(encodedOnce(workOf(film, extname(name))), file, constants.COPYFILE_FICLONE);
  const { share = 1 } = film;
  if (share < 1) truncateSync(file, Math.floor(share * statSync(file).size));
  return file;
}

function workOf(film: MadeFilm, extension: string) {
  const { rates, times = 1, mkvmerge, texts = {} } = film;
  const commands: Command[] = [];
  const inputs: Record<string, string> = { ...texts };
  let result = `encoded${extension}`;
  if (rates) {
    const partOf = (rate: number) => `part-${rates.indexOf(rate)}${extension}`;
    for (const framesPerSecond of new Set(rates))
      commands.push(encode({ ...film, framesPerSecond }, partOf(framesPerSecond)));
    inputs["parts.txt"] = rates.map((rate) => `file '${partOf(rate)}'`).join("\n");
    commands.push(ffmpeg("-f", "concat", "-safe", "0", "-i", "parts.txt", "-map", "0", "-c", "copy", result));
  } else commands.push(encode(film, result));
  if (times > 1) {
    const repeated = `repeated${extension}`;
    commands.push(
      ffmpeg("-stream_loop", String(times - 1), "-i", result, "-map", "0", "-c", "copy", repeated),
    );
    result = repeated;
  }
  if (mkvmerge) {
    const merged = `merged${extension}`;
    commands.push(["mkvmerge", "-q", ...mkvmerge, "-o", merged, result]);
    result = merged;
  }
  return { commands, inputs, result };
}

const ffmpeg = (...options: string[]): Command => ["ffmpeg", "-v", "error", "-y", ...options];

function encode(film: MadeFilm, file: string): Command {
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
  return ffmpeg(
    ...["-f", "lavfi", "-i", `color=black:s=${size}:r=${framesPerSecond}:d=${seconds}`, ...inputs],
    ...["-map", "0:v", "-vf", filter ? `${flashes},${filter}` : flashes],
    ...["-pix_fmt", "yuv420p", "-g", "48", ...picture],
    ...[...outputs, ...other, file],
  );
}
