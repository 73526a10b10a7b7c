import type { Route } from "playwright";
import { expect, test } from "vitest";
import { minutes, seconds } from "#app/platform/units.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { isReady, play } from "#tests/support/browser/player.ts";
import { newDataDir } from "#tests/support/site/site-process.ts";
import {
  lastStep,
  makeAccount,
  makeFilmFolder,
  openSetup,
  startNewSite,
  watchLink,
} from "#tests/support/watching/first-film.ts";

/**
 * A new operator with a folder of films and a browser: from the first line of the start to the first frame, without a
 * shell. tests/release adds films during the setup, and does it without scripts.
 */

const browser = await openBrowser();

test("with 20 films in the folder, the setup leads to the first frame by itself", async () => {
  const films = makeFilmFolder();
  films.fill();
  const site = await startNewSite(films.folder, newDataDir());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const trouble = watchForTrouble(page, site.origin);
  await openSetup(page, site);
  await makeAccount(page);
  await lastStep(page);
  await watchLink(page).click();
  await isReady(page);
  await play(page);

  // While a page looks again and again how far a scan is, a slow link from it opens too.
  films.addPart();
  await page.clock.install();
  await page.goto(`${site.origin}/admin/films`);
  await hydrated(page);
  await page.getByRole("button", { name: "Scan now" }).click();
  await page.getByRole("progressbar", { name: "Waiting for whole files" }).waitFor();
  // A tick between the click and its rendering would load the link a second time. The page's time must be earlier when
  // the call arrives.
  await page.clock.pauseAt(Date.now() + minutes(10));
  const held: Route[] = [];
  await page.route("**/browse.data*", (route) => void held.push(route));
  await page.getByRole("banner").getByRole("link", { name: "Browse" }).click();
  await expect.poll(() => held.length).toBe(1);
  await page.locator(".nav-progress[data-busy]").waitFor({ state: "attached" });
  await page.clock.runFor(seconds(10));
  await page.clock.resume();
  await held[0]?.continue();
  await page.waitForURL("**/browse");
  expect(held).toHaveLength(1);
  expect(trouble).toEqual([]);
});
