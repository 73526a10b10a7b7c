import { appendFileSync, copyFileSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { isReady, patient, play } from "#tests/support/browser/player.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/**
 * A new operator with a folder of films and a browser: from the first line of the start to the first frame, without a
 * shell.
 */

const browser = await openBrowser();

/** Typical names in film collections. The starter catalog does not have all of these titles. */
const names = [
  ...[1, 2, 3, 4, 5].map((episode) => `[Group] Cowboy Bebop - 0${episode} [1080p].webm`),
  ...[1, 2, 3].map((episode) => `Fullmetal.Alchemist.Brotherhood.S01E0${episode}.720p.x264.webm`),
  ...[1, 2, 3].map((episode) => `Death Note/Death Note - Episode ${episode}.webm`),
  ...[10, 11, 12].map((episode) => `Steins;Gate/${episode}.webm`),
  "Sen to Chihiro no Kamikakushi (2001).webm",
  "Mononoke Hime [BD].webm",
  "[XYZ] Bleach - 366 (END).webm",
  "holiday at the lake.webm",
  "zz 4711.webm",
  "Cowboy Bebop - NCOP1.webm",
];

const longAgo = new Date("2024-01-01");

function makeFilms() {
  const folder = temporaryFolder("first-film");
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const sub of ["Death Note", "Steins;Gate"]) mkdirSync(join(folder, sub), { recursive: true });
  return {
    folder,
    fill() {
      for (const name of names) {
        const file = join(folder, name);
        copyFileSync("public/film/1/film.webm", file);
        // Two films with the same bytes would count as one film that moved.
        appendFileSync(file, name);
        // A scan skips a film that is still being written.
        utimesSync(file, longAgo, longAgo);
      }
    },
  };
}

/** As in a container: the site can be reached by others, so its setup asks for the code that the start prints. */
async function startNewSite(films: string, dataDir?: string) {
  const site = await startSite({
    HOST: "0.0.0.0",
    SIGNUPS: "",
    FILMS: "",
    MEDIA_DIR: films,
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
  });
  const code = () => /\/setup#([\w-]{43})/.exec(site.said.join("\n"))?.[1] ?? "";
  await expect.poll(code).not.toBe("");
  return { origin: site.origin.replace("0.0.0.0", "127.0.0.1"), code: code(), stop: () => site.stop() };
}

/** The page's script takes the code from the address. */
async function openSetup(page: Page, { origin, code }: { origin: string; code: string }) {
  await page.goto(`${origin}/setup#${code}`);
  await expect.poll(() => page.url()).toBe(`${origin}/setup`);
  await hydrated(page);
}

async function makeAccount(page: Page) {
  await page.getByLabel("Name").fill("Fresh Reader");
  await page.getByLabel("E-mail address").fill("reader@example.org");
  await page.locator('input[type="password"]').fill(goodPassword);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/admin/setup");
}

const lastStep = (page: Page) => page.getByRole("link", { name: "Watch", exact: true }).click();
const watchLink = (page: Page) => page.getByRole("link", { name: /^Watch .+, episode \d+$/ });

test("with 20 films in the folder, the setup leads to the first frame by itself", async () => {
  const films = makeFilms();
  films.fill();
  const site = await startNewSite(films.folder, newDataDir());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const trouble = watchForTrouble(page, site.origin);
  await openSetup(page, site);
  await makeAccount(page);
  await lastStep(page);
  await watchLink(page).click(patient);
  await isReady(page);
  await play(page);
  expect(trouble).toEqual([]);
  await context.close();
  await site.stop();
});

test("films added while the setup is open are counted and offered without a reload, also on a phone", async () => {
  const films = makeFilms();
  const site = await startNewSite(films.folder);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await openSetup(page, site);
  await makeAccount(page);
  await page.getByRole("link", { name: "What was found" }).click();
  await page.getByText("The scan found no videos.").waitFor(patient);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  films.fill();
  await page.getByRole("button", { name: "Scan again" }).click();
  await page.getByText(`The scan found ${names.length} videos.`).waitFor(patient);
  await page.getByText("Cowboy Bebop", { exact: true }).waitFor(patient);
  await lastStep(page);
  await watchLink(page).waitFor(patient);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await context.close();
  await site.stop();
});

test("without scripts, the code is typed, a link reloads the page, and the first film is a link", async () => {
  const films = makeFilms();
  films.fill();
  const site = await startNewSite(films.folder);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin}/setup`);
  await page.getByLabel("Code").fill(site.code);
  await makeAccount(page);
  await lastStep(page);
  await expect
    .poll(async () => {
      const again = page.getByRole("link", { name: "Look again" });
      if ((await again.count()) > 0) await again.click();
      return watchLink(page).count();
    }, patient)
    .toBe(1);
  await watchLink(page).click();
  await page.waitForURL("**/watch/**");
  expect(await page.locator("video").count()).toBe(1);
  await context.close();
  await site.stop();
});
