import { expect, onTestFinished, test } from "vitest";
import type { Device } from "#tests/support/browser/device.ts";
import { type BrowserName, openPages } from "#tests/support/browser/open-pages.ts";
import { filmIsReady, playsAndSeeks } from "#tests/support/browser/watched-film.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The third episode of the demonstration is a Matroska film, and plays on a site without films of its own. */

const gapText = (device: Device) =>
  device.run(() => document.querySelector(".player-gap")?.textContent ?? "");

/** The lower end of the lowest drawn line, as a share of the picture's height. 0 means that nothing is drawn. */
const lowestLine = (device: Device) =>
  device.run(() => {
    const canvas = document.querySelector("canvas.JASSUB") as HTMLCanvasElement | null;
    if (!canvas || canvas.width === 0) return 0;
    const { width, height } = canvas;
    const copy = Object.assign(document.createElement("canvas"), { width, height });
    const context = copy.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    for (let at = data.length - 1; at > 0; at -= 4)
      if ((data[at] ?? 0) > 64) return Math.ceil(at / 4 / width) / height;
    return 0;
  });

const controlsTop = (device: Device) =>
  device.run(() => {
    const film = document.querySelector("video")?.getBoundingClientRect();
    const bar = document.querySelector(".player-bar")?.getBoundingClientRect();
    return film && bar ? (bar.top - film.top) / film.height : 0;
  });

/** The lower end of the present line, and facts that help to understand a failure. */
async function drawnOn(device: Device) {
  const [line, controls] = [await lowestLine(device), await controlsTop(device)];
  const state = await device.run(() => {
    const { paused, currentTime } = document.querySelector("video") as HTMLVideoElement;
    return { paused, currentTime };
  });
  return { line, controls, ...state };
}

type Drawn = Awaited<ReturnType<typeof drawnOn>>;
const isAbove = ({ line, controls }: Drawn) => line > 0.5 && line < controls;
const isBehind = ({ line, controls }: Drawn) => line > controls;

/** The parts of the film that the page loads before the player asks for them. */
const earlyParts = (device: Device) =>
  device.run(() => {
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return entries
      .filter(({ name, initiatorType }) => name.includes("/play/") && initiatorType === "fetch")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => !/\.(?:ass|vtt)$|font-/.test(path));
  });

export async function testDemonstration(browser: BrowserName) {
  const [open, site] = await Promise.all([openPages(browser), startSite()]);

  // This test comes first, because Firefox's pages share one cache.
  test("the page preloads the film's beginning, and the player needs no second request", async () => {
    const { device, close } = await open(site.origin);
    onTestFinished(close);
    const before = site.logged.length;
    await device.open("/watch/900000001/3");
    await filmIsReady(device);
    // The browser lists a part when it has all of it.
    await expect.poll(() => earlyParts(device)).toHaveLength(7);
    const early = await earlyParts(device);
    const answered = () => site.logged.slice(before).map(({ path }) => path);
    const times = () => early.map((part) => answered().filter((path) => path === part).length);
    // The parts after those are requested by the player alone, which has loaded these by then.
    await expect.poll(() => answered().some((path) => /\/v-1\.m4s$/.test(String(path)))).toBe(true);
    if (browser === "chromium") return expect(times()).toEqual(early.map(() => 1));
    // Firefox requests a part a second time if its first download is still running. On a slow machine this happens to
    // some parts.
    expect(times().filter((count) => count > 2)).toEqual([]);
    expect(times()).toContain(1);
  });

  test("it plays with two sound tracks, steps through its chapters, and keeps drawn lines above the controls", async () => {
    const { device, close } = await open(site.origin);
    onTestFinished(close);
    await device.resize(1280, 900);
    await device.open("/watch/900000001/3");
    await playsAndSeeks(device, [20, 44]);
    // If a slow machine has played the film to its end, the key starts it again.
    await device.run(() => (document.querySelector("video") as HTMLVideoElement).pause());
    await device.press("v");
    await expect.poll(() => gapText(device)).toBe("The Last Train");
    await device.press("v");
    await expect.poll(() => gapText(device)).toBe("Snow");
    await device.press("b");
    await expect.poll(() => gapText(device)).toBe("The Last Train");
    await device.press("c");
    await device.run(() => {
      (document.querySelector("video") as HTMLVideoElement).currentTime = 12;
    });
    await expect.poll(() => drawnOn(device)).toSatisfy(isAbove);
    // During playback the controls hide, and they return before the line has ended.
    await device.run(async () => {
      const video = document.querySelector("video") as HTMLVideoElement;
      video.playbackRate = 0.25;
      await video.play();
    });
    await expect.poll(() => drawnOn(device)).toSatisfy(isBehind);
    await device.run(() => (document.querySelector("video") as HTMLVideoElement).pause());
    await expect.poll(() => drawnOn(device)).toSatisfy(isAbove);
    expect(await device.run(() => document.querySelectorAll(".player-marks rect").length)).toBe(2);
  });
}
