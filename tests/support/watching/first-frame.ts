import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { BrowserName } from "#tests/support/browser/open-pages.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { type FilmPage, filmBrowsers, firstFrame } from "#tests/support/watching/film-pages.ts";

/**
 * A large film loads only its first segment before its first frame is shown. tests/release tries both browsers, tests/players
 * Chromium with half of the tests.
 */

const described = ["main.m3u8", "v.m3u8", "a2.m3u8", "v.mp4", "a2.mp4"];

/** The player waits two seconds for the first frame before it loads more. A busy machine can need that long. */
function withoutWaitLimit() {
  const usual = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms?: number) =>
    ms === 2000 ? 0 : usual(work, ms)) as typeof globalThis.setTimeout;
}

/** hls.js checks for work ten times a second. */
function withoutTurns() {
  const usual = globalThis.setInterval;
  globalThis.setInterval = ((work: () => void, ms: number) =>
    ms === 100 ? 0 : usual(work, ms)) as typeof globalThis.setInterval;
}

/** The browser learns the sound's codec, and takes a second to add its first part. */
function withLateSound() {
  const { addSourceBuffer } = MediaSource.prototype;
  MediaSource.prototype.addSourceBuffer = function (this: MediaSource, type: string) {
    const buffer = addSourceBuffer.call(this, type);
    if (!type.startsWith("audio/")) return buffer;
    const add = buffer.appendBuffer.bind(buffer);
    let parts = 0;
    buffer.appendBuffer = (data) => {
      if (parts++ !== 1) return add(data);
      Object.defineProperty(buffer, "updating", { value: true, configurable: true });
      setTimeout(() => {
        Reflect.deleteProperty(buffer, "updating");
        add(data);
        document.documentElement.dataset.sound = "late";
      }, 400);
    };
    return buffer;
  };
}

const bufferedSeconds = (page: FilmPage) =>
  page.run(() => {
    const { buffered } = document.querySelector("video") as HTMLVideoElement;
    return buffered.length === 0 ? 0 : buffered.end(0) - buffered.start(0);
  }, 0);

/** By then, everything that the page requested before the first frame has arrived. */
const loadsOn = (page: FilmPage) => expect.poll(() => bufferedSeconds(page)).toBeGreaterThan(20);

export async function testFirstFrame(name: BrowserName, { isWhole }: { isWhole: boolean }) {
  const films = join(temporaryFolder("films"), "films");
  mkdirSync(films);
  const x264 = "keyint=96:min-keyint=96:scenecut=0";
  makeFilm(films, "Bleach - 1.mkv", {
    size: "1920x1080",
    filter: "noise=alls=40:allf=t",
    seconds: 8,
    times: 10,
    picture: ["-c:v", "libx264", "-preset", "ultrafast", "-x264-params", x264, "-b:v", "12M"],
    sounds: [{ codec: "aac" }],
  });
  const site = await startSite({ MEDIA_DIR: films, RATE_LIMIT_POINTS: "100000" });
  runTool(site, "sources", ["scan", films]);
  const watchPage = `${site.origin}/watch/269/1`;

  const browser = await filmBrowsers[name]();
  afterAll(() => browser.close());
  const openPage = async (...beforeScripts: (() => void)[]) => {
    const page = await browser.newPage(withoutWaitLimit, ...beforeScripts);
    onTestFinished(async () => void (await page.close()));
    return page;
  };

  test("a film loads its first segment, shows a frame, and then loads on", async () => {
    const page = await openPage();
    await page.open(watchPage);
    await loadsOn(page);
    const { asked } = await firstFrame(page);
    expect(asked.toSorted()).toEqual([...described, "v-0.m4s", "a2-0.m4s"].toSorted());
  });

  test("a film that resumes in its middle loads only the segments at that position", async () => {
    const page = await openPage();
    await page.open(`${site.origin}/browse`);
    await page.run((seconds) => localStorage.setItem("place:269:1", `${seconds}`), 50);
    await page.open(watchPage);
    await loadsOn(page);
    const { asked } = await firstFrame(page);
    const segments = asked.filter((part) => part.endsWith(".m4s"));
    const [picture, ...next] = segments.filter((part) => part.startsWith("v-"));
    expect(picture).toBe("v-12.m4s");
    // On a busy machine, Firefox loads the next segment while the sound is still arriving.
    expect(name === "firefox" ? next.filter((part) => part !== "v-13.m4s") : next).toEqual([]);
    expect(segments.filter((part) => part.startsWith("a2-")).length).toBe(1);
    expect(segments).not.toContain("a2-0.m4s");
    expect(await page.run(() => document.querySelector("video")?.currentTime, 0)).toBe(50);
    // The segment is shown when its playlist says, so that subtitles and chapters fit.
    const shownFrom = await page.run(() => document.querySelector("video")?.buffered.start(0), 0);
    expect(Math.abs((shownFrom ?? 0) - 48)).toBeLessThan(0.1);
  });

  if (!isWhole) return;

  test("no part of the first frame waits for a turn of hls.js", async () => {
    const page = await openPage(withoutTurns);
    await page.open(watchPage);
    const shown = await firstFrame(page);
    expect(shown.firstFrameMs).toBeGreaterThan(0);
  });

  test("until the sound is added, no second segment of the picture is loaded", async () => {
    const page = await openPage(withLateSound);
    await page.open(watchPage);
    await loadsOn(page);
    const { asked } = await firstFrame(page);
    expect(await page.run(() => document.documentElement.dataset.sound, 0)).toBe("late");
    expect(asked.toSorted()).toEqual([...described, "v-0.m4s", "a2-0.m4s"].toSorted());
  });
}
