import { describe, expect, onTestFinished, test } from "vitest";
import { openPages } from "#tests/support/browser/both-browsers.ts";
import type { Device } from "#tests/support/browser/device.ts";
import { patient } from "#tests/support/browser/player.ts";
import { playsAndSeeks } from "#tests/support/browser/watched-film.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The third episode of the demonstration is a Matroska film, and plays on a site without films of its own. */

const [open, site] = await Promise.all([openPages(), startSite()]);

const textOf = (device: Device, selector: string) =>
  device.run((wanted: string) => document.querySelector(wanted)?.textContent ?? "", selector);

/** Where the lowest drawn line ends, as a share of the picture's height. 0: nothing is drawn. */
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

describe.each(["chromium", "firefox"] as const)("in %s", (browser) => {
  test("it plays with two sound tracks, steps through its chapters, and keeps drawn lines above the controls", async () => {
    const { device, close } = await open(browser, site.origin);
    onTestFinished(close);
    await device.resize(1280, 900);
    await device.open("/watch/900000001/3");
    await playsAndSeeks(device, [20, 44]);
    await device.press("k");
    await device.press("v");
    await expect.poll(() => textOf(device, ".player-gap"), patient).toBe("The Last Train");
    await device.press("v");
    await expect.poll(() => textOf(device, ".player-gap"), patient).toBe("Snow");
    await device.press("b");
    await expect.poll(() => textOf(device, ".player-gap"), patient).toBe("The Last Train");
    await device.press("c");
    await device.run(() => {
      (document.querySelector("video") as HTMLVideoElement).currentTime = 12;
    });
    await expect.poll(() => lowestLine(device), patient).toBeGreaterThan(0.5);
    await expect
      .poll(async () => (await lowestLine(device)) - (await controlsTop(device)), patient)
      .toBeLessThan(0);
    expect(await device.run(() => document.querySelectorAll(".player-marks rect").length)).toBe(2);
  });
});
