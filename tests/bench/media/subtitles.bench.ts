import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { startSite } from "#tests/bench/measuring/servers.ts";
import { heavyScript } from "#tests/bench/media/heavy-script.ts";
import { launchChromium } from "#tests/support/browser/launched-browsers.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";

/**
 * Goal: with the heaviest 90 seconds of a script drawn over it, a film drops at most 1 % more frames than without
 * subtitles. Chromium without a GPU decodes the film, draws the lines and composes the picture on the processor.
 */
const bench: Bench = {
  title:
    "Drawn subtitles: a film of 720 lines in Chromium without a GPU, alone and with 300 signs and karaoke over it",
  async run() {
    const folder = temporaryFolder("bench-subtitles");
    const films = join(folder, "films");
    mkdirSync(films);
    makeFilm(films);
    const site = await startSite({ MEDIA_DIR: films, DATA_DIR: join(folder, "data") });
    runTool({ dataDir: join(folder, "data"), mediaDir: films }, "sources", ["scan", films]);
    const browser = await launchChromium();
    const plays = { alone: [] as Played[], drawn: [] as Played[] };
    for (let round = 0; round < rounds; round++)
      for (const kind of ["alone", "drawn"] as const)
        plays[kind].push(await play(browser, `${site.origin}/watch/1/1`, kind === "drawn"));
    await browser.close();
    await site.stop();
    return rowsOf(plays);
  },
};
export default bench;

const rounds = 2;
const filmSeconds = 95;
const playedSeconds = 90;

function makeFilm(films: string) {
  const script = join(films, "Cowboy Bebop - 01.en.ass");
  writeFileSync(script, heavyScript(filmSeconds));
  const picture = `testsrc2=s=1280x720:r=24:d=${filmSeconds}`;
  const encoded = [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-pix_fmt",
    "yuv420p",
    "-g",
    "96",
    "-b:v",
    "3M",
  ];
  execFileSync("ffmpeg", [
    ...["-v", "error", "-f", "lavfi", "-i", picture, ...encoded],
    join(films, "Cowboy Bebop - 01.mkv"),
  ]);
}

type Played = { shown: number; dropped: number };

/** Plays 90 seconds of the film, with or without its subtitles. */
async function play(browser: Browser, url: string, isDrawn: boolean): Promise<Played> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 2);
  if (isDrawn) {
    await page.locator("[aria-label=Captions]").waitFor();
    await page.keyboard.press("c");
    await page.waitForFunction(() => document.querySelector("canvas.JASSUB") !== null);
  }
  await page.evaluate(async () => {
    const video = document.querySelector("video") as HTMLVideoElement;
    video.muted = true;
    await video.play();
  });
  const played = await page.evaluate(playFor, playedSeconds);
  if (isDrawn !== (await page.evaluate(() => document.querySelector("canvas.JASSUB") !== null)))
    throw new Error("The subtitles were not drawn, or were drawn without being chosen");
  await context.close();
  return played;
}

/** Starts counting after the first second, because the start of a film always drops frames. */
async function playFor(seconds: number) {
  const video = document.querySelector("video") as HTMLVideoElement;
  const reaches = async (time: number) => {
    while (video.currentTime < time && !video.ended) await new Promise((done) => setTimeout(done, 100));
  };
  await reaches(1);
  const before = video.getVideoPlaybackQuality();
  await reaches(1 + seconds);
  const after = video.getVideoPlaybackQuality();
  const dropped = after.droppedVideoFrames - before.droppedVideoFrames;
  return { dropped, shown: after.totalVideoFrames - before.totalVideoFrames - dropped };
}

function rowsOf({ alone, drawn }: Record<"alone" | "drawn", Played[]>): Row[] {
  const share = (played: Played[]) =>
    median(played.map(({ shown, dropped }) => (100 * dropped) / (shown + dropped)));
  const unit = "% of the frames";
  return [
    { label: "dropped, the picture alone", value: share(alone), unit },
    { label: "dropped, with drawn subtitles", value: share(drawn), unit },
    { label: "dropped more with them (goal: 1)", value: share(drawn) - share(alone), unit },
  ];
}
