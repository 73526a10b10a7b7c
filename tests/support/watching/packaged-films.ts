import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Device } from "#tests/support/browser/device.ts";
import { type BrowserName, openPages } from "#tests/support/browser/open-pages.ts";
import { patient } from "#tests/support/browser/player.ts";
import { endsAfterSeek, measurePicture, playsAndSeeks } from "#tests/support/browser/watched-film.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { type FilmName, variousFilms } from "#tests/support/data/various-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Films as real collections have them play and seek in a browser, or are refused with a message before loading. */

/** The times to seek to: one near the middle, one near the end. */
const usual = [14, 26];
type Times = readonly number[];

/**
 * With ffmpeg, all of these films play. The list omits films that lead to the same stream as one of these: sound that
 * is converted to AAC, or mkvmerge's output without several packets in one block.
 */
const played: Partial<Record<FilmName, Times>> = {
  "H.264 and AAC": usual,
  "H.264 of 10 bits and FLAC": usual,
  "HEVC and AAC": usual,
  "HEVC of 10 bits and AAC": usual,
  "AV1 and Opus": usual,
  "VP9 and Opus": usual,
  "MPEG-2 and AC-3": usual,
  "MPEG-4 ASP and MP3": usual,
  "AAC of 5.1": usual,
  "FLAC of 24 bits": usual,
  "FLAC of 96 kHz": usual,
  "FLAC of 5.1": usual,
  "Opus of 5.1": usual,
  Vorbis: usual,
  "AC-3 of 5.1": usual,
  "E-AC-3 of 5.1": usual,
  "DTS of 5.1": usual,
  MP3: usual,
  "Opus by mkvmerge": usual,
  "open groups of H.264": usual,
  "open groups of HEVC": usual,
  "many B-frames": usual,
  "a variable frame rate": usual,
  "sound that begins late": usual,
  "AAC of 5.1 that begins late": usual,
  "Opus of 5.1 that begins late": usual,
  "FLAC that begins late": usual,
  "no index": usual,
  "one group of pictures of ten minutes": [300, 590],
  "three hours": [5400, 10_794],
  "a file that breaks off": [8, 17],
};

/** The expected size and grey of converted pictures. Films without a grey must not show two fields at once. */
const shown: Partial<Record<FilmName, { size: string; grey?: number }>> = {
  HDR10: { size: "320x180", grey: 0xb7 },
  HLG: { size: "320x180", grey: 0xb7 },
  "an interlaced DVD": { size: "853x480" },
  "interlaced without a mark": { size: "853x480" },
};

const words = {
  jump: /shows nothing of this video after a jump/,
  picture: /cannot decode the picture of this video|No browser decodes the picture of this video/,
  sound: /No browser decodes the sound of this video/,
  soundHere: /This browser cannot decode the sound of this video/,
  container: /No browser opens (?:AVI|MPEG-TS|OGV) files/,
};
const noWords = { chromium: null, firefox: null };
/** Without ffmpeg: the message, or null for a film that plays. */
const withoutFfmpeg: Partial<Record<FilmName, Record<BrowserName, RegExp | null>>> = {
  "H.264 of 10 bits and FLAC": { ...noWords, firefox: words.picture },
  "HEVC of 10 bits and AAC": { ...noWords, chromium: words.picture },
  "AC-3 of 5.1": noWords,
  "open groups of H.264": { ...noWords, chromium: words.jump },
  "MPEG-2 and AC-3": { chromium: words.picture, firefox: words.picture },
  "MPEG-4 ASP and MP3": { chromium: words.picture, firefox: words.picture },
  MP3: { ...noWords, firefox: words.soundHere },
  Vorbis: { chromium: words.sound, firefox: words.sound },
  "DTS of 5.1": { chromium: words.sound, firefox: words.sound },
  "PCM by mkvmerge": { chromium: words.sound, firefox: words.sound },
  "a transport stream": { chromium: words.container, firefox: words.container },
  "WebM with Vorbis": noWords,
  OGV: { chromium: words.container, firefox: words.container },
  AVI: { chromium: words.container, firefox: words.container },
};

const cutAtItsEnd: FilmName = "a last packet of sound at the end of a segment";

/** Starts a site with these films and a browser. The returned function opens the page of one of them. */
async function startWith(
  browser: BrowserName,
  names: readonly FilmName[],
  settings: Record<string, string>,
): Promise<(name: FilmName) => Promise<Device>> {
  const films = join(temporaryFolder("films"), "films");
  mkdirSync(films);
  for (const [index, name] of names.entries()) {
    const film = variousFilms[name];
    makeFilm(films, `Bleach - ${index + 1}.${film.extension ?? "mkv"}`, film);
  }
  const [openPage, site] = await Promise.all([
    openPages(browser),
    startSite({ MEDIA_DIR: films, RATE_LIMIT_POINTS: "100000", ...settings }),
  ]);
  process.env.MEDIA_DIR = films;
  runTool(site, "sources", ["scan", films]);
  return async (name) => {
    const { device, close } = await openPage(site.origin);
    onTestFinished(close);
    const path = `/watch/269/${names.indexOf(name) + 1}`;
    if (hasNoIndex.includes(name)) await isIndexed(site.origin + path);
    await device.open(path);
    return device;
  };
}

const hasNoIndex: FilmName[] = ["no index", "a file that breaks off"];
const isIndexed = (page: string) =>
  expect.poll(async () => (await fetch(page)).text(), patient).toMatch(/\/play\/[\da-f-]{36}\//);

/** Waits for the player's message and checks that nothing was loaded. */
async function isRefused(device: Device, text: RegExp) {
  const said = () => device.run(() => document.querySelector(".player-note")?.textContent ?? "");
  await expect.poll(said, patient).toMatch(text);
  expect(await said()).toContain("Get the file");
  expect(await device.run(() => document.querySelector("video")?.networkState)).toBe(0);
}

export async function testPackagedFilms(browser: BrowserName) {
  const names = Object.keys(played) as FilmName[];
  // A conversion occupies its slot for 30 s after its viewer has left.
  const asMeant = Object.keys(shown) as FilmName[];
  const open = await startWith(browser, [...names, cutAtItsEnd, ...asMeant], { CONVERSIONS: "4" });

  test.each(Object.entries(played) as [FilmName, Times][])("%s plays", async (name, times) => {
    await playsAndSeeks(await open(name), times);
  });

  test.each(Object.entries(shown) as [FilmName, { size: string; grey?: number }][])(
    "%s is shown as it was meant",
    async (name, { size, grey }) => {
      const picture = await measurePicture(await open(name), 6);
      expect(picture.size).toBe(size);
      if (grey === undefined) expect(picture.combed, "share of combed lines").toBeLessThan(0.02);
      // Firefox decodes HEVC itself, and then its colours are its own.
      else if (browser === "chromium")
        for (const one of picture.middle) expect(Math.abs(one - grey)).toBeLessThan(8);
    },
  );

  test("a film reaches its end after a seek, even if its last second holds little sound", async () => {
    await endsAfterSeek(await open(cutAtItsEnd), 3);
  });
}

export async function testFilmsWithoutFfmpeg(browser: BrowserName) {
  const open = await startWith(browser, Object.keys(withoutFfmpeg) as FilmName[], { FFMPEG: "off" });

  test.each(Object.entries(withoutFfmpeg) as [FilmName, Record<BrowserName, RegExp | null>][])(
    "%s plays without ffmpeg, or is refused with a message",
    async (name, expected) => {
      const device = await open(name);
      const text = expected[browser];
      if (text === null) await playsAndSeeks(device, usual);
      else await isRefused(device, text);
    },
  );
}
