import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";

/**
 * `node ops/film/two-evenings.mjs` makes the third episode of the demonstration film from the other two: a Matroska film
 * with two sound tracks, chapters and drawn subtitles. It needs ffmpeg and espeak-ng. Its results are checked in.
 */

const folder = "public/film/3";
const film = join(folder, "two-evenings.mkv");
const work = mkdtempSync(join(tmpdir(), "film-"));
const ffmpeg = (...args) => execFileSync("ffmpeg", ["-v", "error", "-y", ...args], { stdio: "inherit" });

const clips = [
  ["-ss", "62", "-t", "26", "-i", "public/film/1/film.webm"],
  ["-ss", "48", "-t", "26", "-i", "public/film/2/film.webm"],
];
const faded = [
  "[0:v]scale=640:360,fps=24,settb=AVTB[a];[1:v]scale=640:360,fps=24,settb=AVTB[b]",
  "[a][b]xfade=transition=fade:duration=2:offset=24,format=yuv420p[picture]",
  "[0:a][1:a]acrossfade=d=2[sound]",
].join(";");
const h264 = ["-c:v", "libx264", "-preset", "slow", "-tune", "animation", "-crf", "26", "-g", "144"];
const both = join(work, "both.mkv");
const maps = ["-map", "[picture]", "-map", "[sound]"];
ffmpeg(...clips.flat(), "-filter_complex", faded, ...maps, ...h264, "-c:a", "pcm_s16le", both);

/** A time in milliseconds, and what the picture shows from that time on. */
const descriptions = [
  [1500, "A wooden porch in the rain. A stone lantern glows in the garden."],
  [17_500, "A black cat sits beside a cup of tea."],
  [26_000, "The rain fades. The same garden, under snow."],
  [36_500, "Across the valley a row of lit windows slides by."],
];
const spoken = descriptions.map(([, text], index) => {
  const file = join(work, `${index}.wav`);
  execFileSync("espeak-ng", ["-v", "en-gb", "-s", "145", "-a", "130", "-w", file, text]);
  return file;
});
const delayed = descriptions.map(([at], index) => `[${index + 1}:a]adelay=${at}:all=1[d${index}]`);
const voices = descriptions.map((_, index) => `[d${index}]`).join("");
const mixed = [
  ...["[0:a]asplit[music][rest]", "[rest]volume=0.6[low]", ...delayed],
  `[low]${voices}amix=inputs=${descriptions.length + 1}:duration=first:normalize=0,alimiter[described]`,
].join(";");
const [chapters, subtitles] = [spoken.length + 1, spoken.length + 2];
ffmpeg(
  ...["-i", both, ...spoken.flatMap((file) => ["-i", file])],
  ...["-f", "ffmetadata", "-i", "ops/film/two-evenings-chapters.txt", "-i", "ops/film/two-evenings.ass"],
  ...["-filter_complex", mixed, "-map", "0:v", "-map", "[music]", "-map", "[described]"],
  ...["-map", `${subtitles}:s`, "-map_metadata", `${chapters}`, "-map_chapters", `${chapters}`],
  ...["-c:v", "copy", "-c:s", "copy", "-c:a", "aac", "-b:a", "40k", "-ac", "1"],
  ...["-metadata:s:a:0", "language=jpn", "-metadata:s:a:0", "title=Strings and weather"],
  ...["-metadata:s:a:1", "language=eng", "-metadata:s:a:1", "title=Audio description"],
  ...["-disposition:a:0", "default", "-disposition:a:1", "visual_impaired"],
  ...["-metadata:s:s:0", "language=eng", "-metadata:s:s:0", "title=English", film],
);
const still = join(work, "still.png");
ffmpeg("-ss", "37", "-i", film, "-frames:v", "1", still);
await sharp(still).webp({ quality: 60 }).toFile(join(folder, "still.webp"));
rmSync(work, { recursive: true });
