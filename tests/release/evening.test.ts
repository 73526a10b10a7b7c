import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import type { Device } from "#tests/support/browser/device.ts";
import { expectList } from "#tests/support/browser/end-of-a-film.ts";
import { measureFrame, measureWay, screenOfFilm } from "#tests/support/browser/measured-film.ts";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { isReady, play, showsEpisode } from "#tests/support/browser/player.ts";
import { filmIsReady } from "#tests/support/browser/watched-film.ts";
import {
  pgsBox,
  pgsComposition,
  pgsEnd,
  pgsObject,
  pgsPalette,
  supOf,
  white,
} from "#tests/support/data/bitmap-subtitles.ts";
import { merged } from "#tests/support/data/changed-films.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { matroskaFilms, otherFilms } from "#tests/support/data/various-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import type { FilmRow } from "#tests/support/watching/film-table.ts";
import { isSeenAndHeard } from "#tests/support/watching/watch-films.ts";

/** A household's evening on a television: five episodes of all ages follow each other, and only the first one is begun. */

/** `band`: what the screen shows in the middle of the band between the bars and the time code. */
type Episode = Omit<FilmRow, "result"> & { size: string; way: string; band?: "black" | "white" };

/** Long enough that a busy machine has measured an episode before the next one begins. */
const seconds = 24;
const plain = { ...matroskaFilms["H.264 and AAC"], seconds };
const episodes: Episode[] = [
  { film: plain, size: "320x180", way: "packaged", band: "black" },
  { film: plain, finish: withBox, size: "320x180", way: "packaged", band: "white" },
  {
    film: { ...matroskaFilms.HDR10, seconds },
    size: "320x180",
    way: "converted picture",
    grey: 0xb7,
  },
  {
    film: { ...matroskaFilms["an interlaced DVD"], seconds, extension: "vob", other: ["-f", "vob"] },
    size: "853x480",
    way: "converted picture and sound",
    hasFields: true,
  },
  {
    film: { ...otherFilms.AVI, seconds },
    size: "320x180",
    way: "converted picture and sound",
    band: "black",
  },
];

/** PGS subtitles with a white box over the black band of the film, from the first second up to the end. */
function withBox(file: string) {
  const size: [number, number] = [960, 86];
  const box = [
    pgsComposition({ objects: [{ x: 480, y: 702 }] }),
    pgsPalette([1, ...white]),
    pgsObject({ size, runs: pgsBox(size) }),
    pgsEnd,
  ];
  const sup = `${file}.sup`;
  const hidden = [pgsComposition({ state: 0, objects: [] }), pgsEnd];
  writeFileSync(sup, supOf({ ms: 1000, segments: box }, { ms: 1000 * seconds, segments: hidden }));
  merged("--language", "0:en", sup)(file);
  rmSync(sup);
}

const films = join(temporaryFolder("films"), "films");
const folder = join(films, "Cowboy Bebop");
mkdirSync(folder, { recursive: true });
for (const [index, { film, finish }] of episodes.entries()) {
  const name = `Cowboy Bebop - 0${index + 1}.${film.extension ?? "mkv"}`;
  const file = makeFilm(folder, name, { ...film, content: "bars" });
  finish?.(file);
}

const [browser, site] = await Promise.all([openBrowser(), startSite({ MEDIA_DIR: films })]);
runTool(site, "sources", ["scan", films]);

async function bandOnScreen(device: Device) {
  const { width, height, data, shareOfHeight } = await screenOfFilm(device);
  const at = 3 * (Math.floor((0.69 * height) / shareOfHeight) * width + Math.floor(width / 2));
  const color = [...data.subarray(at, at + 3)];
  if (color.every((one) => one > 200)) return "white";
  return color.every((one) => one < 60) ? "black" : color.join();
}

async function isWatched(device: Device, { band, way, size, ...row }: Episode) {
  await filmIsReady(device);
  await isSeenAndHeard(device, row, {
    browser: "chromium",
    result: way === "packaged" ? "plays" : "converted",
  });
  if (band !== undefined) await expect.poll(() => bandOnScreen(device)).toBe(band);
  expect((await measureFrame(device)).size).toBe(size);
  expect(await measureWay(device)).toBe(way);
}

/** The card with the countdown, or after the last episode the card without one. */
const endsWithCard = (page: Page, isLast: boolean) =>
  (isLast
    ? page.getByRole("region", { name: "End of the episode" }).getByText("Episode 6 is not here yet")
    : page.getByRole("region", { name: "Next episode" }).getByText(/^Starts in/)
  ).waitFor({ timeout: 300_000 });

test("five episodes play one after another, and only the first one is begun by a press", {
  timeout: 1_200_000,
}, async () => {
  const { context, page } = await signedIn({ browser, site, script: true });
  await page.setViewportSize({ width: 1920, height: 1080 });
  await context.request.post(`${site.origin}/api/saveUserPreferences`, {
    data: { subtitleLanguages: ["en"] },
  });
  const trouble = watchForTrouble(page, site.origin);
  const device = await chromiumDevice(page, site.origin);
  await page.goto(`${site.origin}/watch/1/1`);
  await hydrated(page);
  await isReady(page);
  await play(page);
  for (const [index, episode] of episodes.entries()) {
    const number = index + 1;
    await page.waitForURL(`**/watch/1/${number}`);
    await showsEpisode(page, number);
    await Promise.all([isWatched(device, episode), endsWithCard(page, number === episodes.length)]);
    await device.run(() => performance.clearResourceTimings());
  }
  await expectList(context, site.origin).toEqual([["Watching", null]]);
  const watched = async () => {
    const answer = await context.request.get(`${site.origin}/api/user/watchHistory`);
    const { data } = (await answer.json()) as { data: { mal_id: number; ep: number }[] };
    return data.map(({ mal_id, ep }) => `${mal_id}/${ep}`);
  };
  await expect.poll(watched).toEqual(["1/5", "1/4", "1/3", "1/2", "1/1"]);
  expect(trouble).toEqual([]);
});
