import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { captions } from "./captions.mjs";
import { height, width } from "./drawing.mjs";
import { episodes, lengthSeconds, picture } from "./scenes.mjs";
import { score } from "./score.mjs";

/**
 * `node ops/film/make.mjs` makes the demonstration film (it needs ffmpeg and a CJK font). Its results in `public/film/` are
 * checked in, so that nobody needs to run this to watch the film.
 */

const framesPerSecond = 24;

function ffmpeg(args, input = "ignore") {
  const child = spawn("ffmpeg", ["-hide_banner", "-loglevel", "error", "-y", ...args], {
    stdio: [input, "inherit", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => {
    if (code !== 0) throw new Error(`ffmpeg ended with exit code ${code}`);
  });
  return { child, ended };
}

async function draw(episode, path) {
  const { child, ended } = ffmpeg(
    [
      "-f",
      "rawvideo",
      "-pix_fmt",
      "rgb24",
      "-s",
      `${width}x${height}`,
      "-r",
      `${framesPerSecond}`,
      "-i",
      "-",
      "-c:v",
      "libx264",
      "-qp",
      "0",
      "-preset",
      "ultrafast",
      path,
    ],
    "pipe",
  );
  for (let frame = 0; frame < lengthSeconds * framesPerSecond; frame++) {
    const svg = Buffer.from(picture(episode, frame / framesPerSecond));
    const pixels = await sharp(svg).removeAlpha().raw().toBuffer();
    if (!child.stdin.write(pixels)) await once(child.stdin, "drain");
  }
  child.stdin.end();
  await ended;
}

const video = (index, height, rate) => [
  `-filter:v:${index}`,
  `scale=-2:${height}`,
  `-b:v:${index}`,
  `${rate}k`,
  `-maxrate:v:${index}`,
  `${rate * 2}k`,
  `-bufsize:v:${index}`,
  `${rate * 4}k`,
];

async function encodeHls(picturePath, soundPath, folder) {
  const { ended } = ffmpeg([
    "-i",
    picturePath,
    "-i",
    soundPath,
    "-map",
    "0:v",
    "-map",
    "0:v",
    "-map",
    "1:a",
    "-c:v",
    "libx264",
    "-preset",
    "veryslow",
    "-tune",
    "animation",
    "-refs",
    "4",
    "-level:v",
    "3.1",
    "-pix_fmt",
    "yuv420p",
    "-g",
    `${framesPerSecond * 6}`,
    "-keyint_min",
    `${framesPerSecond * 6}`,
    "-sc_threshold",
    "0",
    ...video(0, 720, 108),
    ...video(1, 360, 44),
    "-c:a",
    "aac",
    "-b:a",
    "40k",
    "-ac",
    "1",
    "-f",
    "hls",
    "-hls_time",
    "6",
    "-hls_playlist_type",
    "vod",
    "-hls_segment_type",
    "fmp4",
    "-hls_fmp4_init_filename",
    "init.mp4",
    "-master_pl_name",
    "master.m3u8",
    "-hls_segment_filename",
    join(folder, "%v", "%03d.m4s"),
    "-var_stream_map",
    "v:0,agroup:sound,name:720p v:1,agroup:sound,name:360p a:0,agroup:sound,default:yes,name:sound",
    join(folder, "%v", "index.m3u8"),
  ]);
  await ended;
}

async function encodeWebm(picturePath, soundPath, folder, work) {
  const passes = [
    "-c:v",
    "libvpx-vp9",
    "-b:v",
    "88k",
    "-maxrate",
    "200k",
    "-row-mt",
    "1",
    "-cpu-used",
    "2",
    "-vf",
    "scale=-2:540",
    "-pix_fmt",
    "yuv420p",
    "-g",
    "144",
    "-passlogfile",
    join(work, "vp9"),
  ];
  await ffmpeg(["-i", picturePath, ...passes, "-pass", "1", "-an", "-f", "null", "-"]).ended;
  await ffmpeg([
    "-i",
    picturePath,
    "-i",
    soundPath,
    ...passes,
    "-pass",
    "2",
    "-c:a",
    "libopus",
    "-b:a",
    "28k",
    "-ac",
    "1",
    join(folder, "film.webm"),
  ]).ended;
}

for (const episode of episodes.keys()) {
  const numbered = episode + 1;
  const folder = join("public", "film", `${numbered}`);
  const work = await mkdtemp(join(tmpdir(), "film-"));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { bytes, rate } = score(numbered);
  await writeFile(join(work, "sound.pcm"), bytes);
  await ffmpeg([
    "-f",
    "s16le",
    "-ar",
    `${rate}`,
    "-ac",
    "1",
    "-i",
    join(work, "sound.pcm"),
    join(work, "sound.wav"),
  ]).ended;
  await draw(numbered, join(work, "picture.mkv"));
  await encodeHls(join(work, "picture.mkv"), join(work, "sound.wav"), folder);
  await encodeWebm(join(work, "picture.mkv"), join(work, "sound.wav"), folder, work);
  for (const language of ["en", "ja"])
    await writeFile(join(folder, `${language}.vtt`), captions(numbered, language));
  await sharp(Buffer.from(picture(numbered, numbered === 1 ? 104 : 62)))
    .webp({ quality: 60 })
    .toFile(join(folder, "still.webp"));
  await rm(work, { recursive: true });
}
