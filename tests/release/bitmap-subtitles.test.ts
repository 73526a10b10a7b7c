import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Device, seek } from "#tests/support/browser/device.ts";
import { type BrowserName, openPages } from "#tests/support/browser/open-pages.ts";
import { filmIsReady } from "#tests/support/browser/watched-film.ts";
import { discSubtitles } from "#tests/support/data/bitmap-subtitles.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { chooseSetting } from "#tests/support/watching/watch-films.ts";

/** Subtitles that are pictures, of discs, are drawn over the film in their place and time, and can be switched. */

const films = join(temporaryFolder("films"), "films");
mkdirSync(films);
const film = join(films, "Cowboy Bebop - 01.mkv");

/** The same subtitles in two languages: as on a Blu-ray disc, and as ffmpeg writes them for a DVD, without an end. */
function makeFilm() {
  const folder = temporaryFolder("parts");
  const [sup, dvd] = [join(folder, "disc.sup"), join(folder, "dvd.mkv")];
  writeFileSync(sup, discSubtitles());
  execFileSync("ffmpeg", ["-v", "error", "-copyts", "-i", sup, "-c:s", "dvdsub", dvd]);
  const codec = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "200k", "-g", "50"];
  const gray = "color=gray:s=640x360:r=25:d=12";
  const picture = encodedOnce({
    commands: [["ffmpeg", "-v", "error", "-f", "lavfi", "-i", gray, ...codec, "picture.webm"]],
    result: "picture.webm",
  });
  const tracks = ["--language", "0:en", sup, "--language", "0:de", dvd];
  execFileSync("mkvmerge", ["-q", "-o", film, picture, ...tracks]);
}
makeFilm();

const site = await startSite({ MEDIA_DIR: films });
runTool(site, "sources", ["scan", films]);

/**
 * The box that is drawn, in hundredths of the picture's size, and the colour in its middle. The paused player shows its
 * controls, which the box would be behind. Null: nothing is drawn.
 */
const drawn = (device: Device) =>
  device.run(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas.player-bitmaps");
    const video = document.querySelector("video");
    const { width = 0, height = 0 } = canvas ?? {};
    if (!canvas || !video || width * height === 0) return null;
    const copy = Object.assign(document.createElement("canvas"), { width, height });
    const context = copy.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if ((data[4 * (y * width + x) + 3] ?? 0) > 128) {
          [left, top] = [Math.min(left, x), Math.min(top, y)];
          [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
        }
    if (right < 0) return null;
    const middle = 4 * (Math.floor((top + bottom) / 2) * width + Math.floor((left + right) / 2));
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = canvas;
    const across = (x: number) =>
      Math.round((100 * (offsetLeft - video.offsetLeft + (x * offsetWidth) / width)) / video.clientWidth);
    const down = (y: number) =>
      Math.round((100 * (offsetTop - video.offsetTop + (y * offsetHeight) / height)) / video.clientHeight);
    return {
      left: across(left),
      right: across(right + 1),
      top: down(top),
      bottom: down(bottom + 1),
      isAboveControls: canvas.style.transform !== "",
      color: [...data.subarray(middle, middle + 3)]
        .map((one) => (one > 200 ? 1 : one < 60 ? 0 : one))
        .join(""),
    };
  });

const whiteBox = { left: 25, right: 75, top: 83, bottom: 93, isAboveControls: true, color: "111" };
const redBox = { left: 10, right: 20, top: 5, bottom: 15, isAboveControls: false, color: "100" };

describe.each<BrowserName>(["chromium", "firefox"])("in %s", async (browser) => {
  const open = await openPages(browser);

  test("pictures of discs and of DVDs are drawn in their place and time, and can be switched", async () => {
    const { device, trouble } = await open(site.origin);
    await device.open("/watch/1/1");
    await device.resize(1280, 900);
    await filmIsReady(device);
    for (const { label, between, after } of [
      { label: "English", between: null, after: null },
      { label: "German", between: whiteBox, after: redBox },
    ]) {
      await chooseSetting(device, "Captions", label);
      await seek(device, 3);
      await expect.poll(() => drawn(device)).toEqual(whiteBox);
      await seek(device, 5);
      await expect.poll(() => drawn(device)).toEqual(between);
      await seek(device, 7);
      await expect.poll(() => drawn(device)).toEqual(redBox);
      await seek(device, 11);
      await expect.poll(() => drawn(device)).toEqual(after);
    }
    await chooseSetting(device, "Captions", "English");
    await seek(device, 3);
    await expect.poll(() => drawn(device)).toEqual(whiteBox);
    await chooseSetting(device, "Captions", "Off");
    await expect
      .poll(() => device.run(() => document.querySelector("canvas.player-bitmaps") === null))
      .toBe(true);
    expect(trouble).toEqual([]);
  });
});
