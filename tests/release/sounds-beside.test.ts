import { copyFileSync, mkdirSync } from "node:fs";
import { extname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Device } from "#tests/support/browser/device.ts";
import { type BrowserName, openPages } from "#tests/support/browser/open-pages.ts";
import { playsAndSeeks, seeksTo } from "#tests/support/browser/watched-film.ts";
import { type Command, encodedOnce } from "#tests/support/data/encoded-once.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A sound file beside a film can be chosen in the player and is heard, also after seeks. */

const films = join(temporaryFolder("films"), "films");
mkdirSync(films);
const seconds = 90;
makeFilm(films, "Bleach - 1.mkv", { ...matroskaFilms["H.264 and AAC"], seconds });

/** Each file has a different tone, so that the test can tell which one is heard. */
const tones = { French: 700, German: 1300, Spanish: 2300 };
function makeSound(name: string, hertz: number, ...codec: string[]) {
  const tone = ["-f", "lavfi", "-i", `sine=frequency=${hertz}:duration=${seconds}`, "-af", "volume=4"];
  const result = `sound${extname(name)}`;
  const command: Command = ["ffmpeg", "-v", "error", ...tone, "-ar", "48000", ...codec, result];
  copyFileSync(encodedOnce({ commands: [command], result }), join(films, name));
}
makeSound("Bleach - 1.fr.mka", tones.French, "-c:a", "libopus");
// Browsers cannot play these files without conversion.
makeSound("Bleach - 1.de.mka", tones.German, "-c:a", "ac3", "-ac", "6");
makeSound("Bleach - 1.es.m4a", tones.Spanish, "-c:a", "aac");

const site = await startSite({ MEDIA_DIR: films });
runTool(site, "sources", ["scan", films]);

/** Chooses a sound track as a viewer does. */
const choose = (device: Device, language: string) =>
  device.run((wanted: string) => {
    const labels = [...document.querySelectorAll("label")];
    const label = labels.find(({ textContent }) => textContent?.includes("Sound track"));
    const menu = label?.querySelector("select") ?? document.getElementById(label?.htmlFor ?? "");
    const option = [...(menu?.querySelectorAll("option") ?? [])].find((one) => one.text.includes(wanted));
    if (!menu || !option) return false;
    (menu as HTMLSelectElement).value = option.value;
    return menu.dispatchEvent(new Event("change", { bubbles: true }));
  }, language);

/** The segments of sound files that the page has loaded. */
const loadedBeside = (device: Device) =>
  device.run(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name, responseStatus }) => /\/[ac]\d{7,}-\d+\.m4s$/.test(name) && responseStatus === 200)
      .map(({ name }) => name.slice(name.lastIndexOf("/") + 1)),
  );

const trackOf = (part: string) => part.slice(0, part.indexOf("-"));

/** The loudest frequency. Firefox cannot measure it on a machine without loudspeakers. */
const loudest = (device: Device) =>
  device.run(() => {
    const { meter } = document.querySelector("video") as HTMLVideoElement & { meter: AnalyserNode };
    const bins = new Float32Array(meter.frequencyBinCount);
    meter.getFloatFrequencyData(bins);
    const at = bins.reduce((best, level, index) => (level > (bins[best] ?? 0) ? index : best), 0);
    return (at * meter.context.sampleRate) / meter.fftSize;
  });

const decodedBytes = (device: Device) =>
  device.run(
    () =>
      (document.querySelector("video") as HTMLVideoElement & { webkitAudioDecodedByteCount?: number })
        .webkitAudioDecodedByteCount ?? null,
  );

describe.each<BrowserName>(["chromium", "firefox"])("in %s", async (browser) => {
  const open = await openPages(browser);

  async function isHeard(device: Device, hertz: number, seek: number) {
    const before = await decodedBytes(device);
    await seeksTo(device, seek);
    if (browser === "firefox") return;
    await expect.poll(async () => Math.abs((await loudest(device)) - hertz) < 20).toBe(true);
    expect(await decodedBytes(device)).toBeGreaterThan(before ?? 0);
  }

  test("the sound track of each file beside the film can be chosen, plays on, and plays after seeks", async () => {
    const { device, close } = await open(site.origin);
    onTestFinished(close);
    await device.open("/watch/269/1");
    await playsAndSeeks(device, []);
    expect(await loadedBeside(device)).toEqual([]);
    await device.run(() => document.querySelector<HTMLElement>("[aria-label=Settings]")?.click());
    const heard = new Set<string>();
    for (const [language, hertz] of Object.entries(tones)) {
      await expect.poll(() => choose(device, language)).toBe(true);
      // A part of the previous track can still arrive.
      const parts = async () => (await loadedBeside(device)).filter((name) => !heard.has(trackOf(name)));
      await expect.poll(async () => (await parts()).length).toBeGreaterThan(0);
      await isHeard(device, hertz, 40);
      await isHeard(device, hertz, 80);
      await isHeard(device, hertz, 10);
      const names = await parts();
      // All loaded parts belong to one track and come from all over it.
      expect(new Set(names.map(trackOf)).size).toBe(1);
      expect(names.length).toBeGreaterThanOrEqual(3);
      for (const name of names) heard.add(trackOf(name));
    }
    expect(await device.run(() => document.querySelector(".player-note")?.textContent ?? null)).toBe(null);
  });
});
