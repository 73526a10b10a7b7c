import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { type Command, encodedOnce } from "#tests/support/data/encoded-once.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A stream with two sound tracks: the player starts with the original and keeps another choice for the next episode. */

const films = temporaryFolder("films");

/** Two episodes as HLS, each with a Japanese and an English rendition. */
function makeStream(episode: string) {
  const folder = join(films, "Cowboy Bebop", episode);
  const tone = (hertz: number) => ["-f", "lavfi", "-i", `sine=frequency=${hertz}:duration=20`];
  const command: Command = [
    "ffmpeg",
    ...["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=20"],
    ...[...tone(440), ...tone(880), "-map", "0:v", "-map", "1:a", "-map", "2:a"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac"],
    ...["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-master_pl_name", "master.m3u8"],
    "-var_stream_map",
    "v:0,agroup:sound a:0,agroup:sound,language:en,name:English,default:yes a:1,agroup:sound,language:ja,name:Japanese",
    "stream-%v.m3u8",
  ];
  cpSync(encodedOnce({ commands: [command] }), folder, { recursive: true });
  // ffmpeg calls them audio_1 and audio_2.
  const master = join(folder, "master.m3u8");
  const named = readFileSync(master, "utf8").replace("audio_1", "English").replace("audio_2", "Japanese");
  writeFileSync(master, named);
}
for (const episode of ["01", "02"]) makeStream(episode);

/** A film with one track each in AAC, Opus and FLAC, so long that it does not end during a test on a slow machine. */
function makeMixedFilm() {
  const tone = (hertz: number) => ["-f", "lavfi", "-i", `sine=frequency=${hertz}:duration=120`];
  const result = "mixed.mkv";
  const command: Command = [
    "ffmpeg",
    ...["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=120"],
    ...[...tone(440), ...tone(880), ...tone(660), "-map", "0", "-map", "1", "-map", "2", "-map", "3"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p"],
    ...["-c:a:0", "aac", "-c:a:1", "libopus", "-c:a:2", "flac"],
    ...["eng", "fre", "ger"].flatMap((language, at) => [`-metadata:s:a:${at}`, `language=${language}`]),
    result,
  ];
  copyFileSync(
    encodedOnce({ commands: [command], result }),
    join(films, "Cowboy Bebop", "Cowboy Bebop - 03.mkv"),
  );
}
makeMixedFilm();
makeFilm(join(films, "Cowboy Bebop"), "Cowboy Bebop - 04.mkv", {
  picture: ["-c:v", "libx264", "-preset", "ultrafast"],
  sounds: [
    { codec: "aac", language: "eng" },
    { codec: "aac", language: "jpn" },
  ],
});
/** A film with two sounds, and with subtitles in two languages. */
makeFilm(join(films, "Cowboy Bebop"), "Cowboy Bebop - 05.mkv", {
  picture: ["-c:v", "libx264", "-preset", "ultrafast"],
  sounds: [
    { codec: "aac", language: "jpn" },
    { codec: "aac", language: "jpn" },
  ],
});
for (const language of ["de", "en"])
  writeFileSync(
    join(films, "Cowboy Bebop", `Cowboy Bebop - 05.${language}.srt`),
    "1\n00:00:01,000 --> 00:00:09,000\nSee you\n",
  );

const [browser, site] = await Promise.all([openBrowser(), startSite({ MEDIA_DIR: films })]);
runTool(site, "sources", ["scan", films]);

const soundMenu = (page: Page) => page.getByLabel("Sound track");

async function open(page: Page, episode: number) {
  await page.goto(`${site.origin}/watch/1/${episode}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await soundMenu(page).waitFor();
}

const chosen = (page: Page) =>
  soundMenu(page).evaluate((menu: HTMLSelectElement) => menu.selectedOptions[0]?.textContent?.trim());

test("the original sound plays first, and the viewer's choice plays in the next episode", async () => {
  const page = await (await browser.newContext()).newPage();
  await open(page, 1);
  await expect.poll(() => chosen(page)).toBe("Japanese");
  await soundMenu(page).selectOption({ label: "English" });
  await expect.poll(() => chosen(page)).toBe("English");
  await open(page, 2);
  await expect.poll(() => chosen(page)).toBe("English");
});

test("captions that are turned off come back in the same language", async () => {
  const page = await (await browser.newContext()).newPage();
  await open(page, 5);
  const menu = page.getByRole("combobox", { name: "Captions", exact: true });
  const shown = () => menu.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent);
  await expect.poll(() => menu.locator("option").count()).toBeGreaterThan(1);
  const last = (await menu.locator("option").allTextContents()).at(-1) ?? "";
  await menu.selectOption({ label: last });
  const toggle = page.getByRole("button", { name: "Captions", exact: true });
  await toggle.click();
  await expect.poll(shown).toBe("Off");
  await toggle.click();
  await expect.poll(shown).toBe(last);
});

test("for a film with two sounds, only parts of the sound that the viewer hears are loaded", async () => {
  const page = await (await browser.newContext()).newPage();
  const sounds = new Set<string>();
  let parts = 0;
  page.on("request", (request) => {
    const [, sound, ending] = /\/(a\d+)(\.m3u8|\.mp4|-\d+\.m4s)$/.exec(request.url()) ?? [];
    if (sound !== undefined) sounds.add(sound);
    if (ending?.endsWith(".m4s")) parts++;
  });
  await open(page, 4);
  await expect.poll(() => chosen(page)).toMatch(/^Japanese/);
  await expect.poll(() => parts).toBeGreaterThan(1);
  // A player that changes tracks while it loads the first part of one may never continue.
  expect(sounds.size).toBe(1);
});

/** The amount of sound that the browser has decoded, which only Chromium reports. */
const decodedSound = (page: Page) =>
  page.evaluate(
    () =>
      (document.querySelector("video") as unknown as { webkitAudioDecodedByteCount: number })
        .webkitAudioDecodedByteCount,
  );

test("a track with another codec continues from the same position", async () => {
  const page = await (await browser.newContext()).newPage();
  await open(page, 3);
  await page.evaluate(() => (document.querySelector("video") as HTMLVideoElement).play());
  const time = () => page.evaluate(() => (document.querySelector("video") as HTMLVideoElement).currentTime);
  await expect.poll(time).toBeGreaterThan(2);
  for (const language of ["French", "German", "English"]) {
    const before = await time();
    await soundMenu(page).selectOption({ label: language });
    await expect.poll(() => chosen(page)).toBe(language);
    await expect.poll(time).toBeGreaterThan(before + 2);
    const heard = await decodedSound(page);
    await expect.poll(() => decodedSound(page)).toBeGreaterThan(heard);
    expect(await page.locator(".player-note").count()).toBe(0);
  }
});
