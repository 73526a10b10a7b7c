import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { isPaused, time } from "#tests/support/browser/player.ts";
import { heldFfmpeg } from "#tests/support/data/held-ffmpeg.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A viewer waits on the watch page while the site prepares a film that no browser opens. */

const folder = temporaryFolder("prepared-film");
const { program, hold, release, runsOf } = heldFfmpeg(folder);
const name = "Bleach - 1.ts";
makeFilm(folder, name, {
  size: "320x180",
  seconds: 20,
  picture: ["-c:v", "libx264", "-preset", "ultrafast"],
  sounds: [{ codec: "aac" }],
});
hold(name);
const [browser, site] = await Promise.all([openBrowser(), startSite({ MEDIA_DIR: folder, FFMPEG: program })]);
addSource(site, { title: 269, episode: 1, url: `media:${name}`, type: "file", label: "The file" });

test("the page says how far the film is without flicker, counts no failure, and then the film begins", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const trouble = watchForTrouble(page, site.origin);
  let questions = 0;
  const reports: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/prepared")) questions++;
    const sent = request.postData() ?? "";
    if (/"reason"/.test(sent)) reports.push(sent);
  });
  await page.goto(`${site.origin}/watch/269/1`);
  await hydrated(page);
  // A browser lets a film begin with sound on a page that its user has used.
  await page.getByRole("heading", { level: 1 }).click();
  const note = page.locator(".player-failure");
  await note.getByText("This episode is being converted").waitFor();
  await note
    .getByText(/This video is being converted, once, before it plays.* It begins by itself\./)
    .waitFor();
  await page.evaluate(() => {
    const player = document.querySelector(".player") as HTMLElement;
    const shown = document.querySelector(".player-failure");
    new MutationObserver(() => {
      if (document.querySelector(".player-failure") !== shown) player.dataset.flickered = "yes";
    }).observe(player, { childList: true, subtree: true });
  });
  const before = questions;
  await expect.poll(() => questions).toBeGreaterThan(before + 2);
  expect(await page.locator(".player").getAttribute("data-flickered")).toBeNull();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  release(name);
  await expect.poll(() => time(page)).toBeGreaterThan(1);
  expect(await isPaused(page)).toBe(false);
  await expect.poll(() => note.count()).toBe(0);
  expect(runsOf(name)).toHaveLength(1);
  expect(reports).toEqual([]);
  expect(trouble).toEqual([]);
});
