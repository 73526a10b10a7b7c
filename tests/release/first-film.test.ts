import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  filmNames,
  lastStep,
  makeAccount,
  makeFilmFolder,
  openSetup,
  startNewSite,
  watchLink,
} from "#tests/support/watching/first-film.ts";

/** Films that are added during the setup, and a setup without scripts. tests/players plays the first film of a usual setup. */

const browser = await openBrowser();

test("films added while the setup is open are counted and offered without a reload, also on a phone", async () => {
  const films = makeFilmFolder();
  const site = await startNewSite(films.folder);
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await openSetup(page, site);
  await makeAccount(page);
  await page.getByRole("link", { name: "What was found" }).click();
  await page.getByText("The scan found no videos.").waitFor();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  films.fill();
  await page.getByRole("button", { name: "Scan again" }).click();
  await page.getByText(`The scan found ${filmNames.length} videos.`).waitFor();
  await page.getByText("Cowboy Bebop", { exact: true }).waitFor();
  await lastStep(page);
  await watchLink(page).waitFor();
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("without scripts, the code is typed, a link reloads the page, and the first film is a link", async () => {
  const films = makeFilmFolder();
  films.fill();
  const site = await startNewSite(films.folder);
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${site.origin}/setup`);
  await page.getByLabel("Code").fill(site.code);
  await makeAccount(page);
  await lastStep(page);
  await expect
    .poll(async () => {
      const again = page.getByRole("link", { name: "Look again" });
      if ((await again.count()) > 0) await again.click();
      return watchLink(page).count();
    })
    .toBe(1);
  await watchLink(page).click();
  await page.waitForURL("**/watch/**");
  expect(await page.locator("video").count()).toBe(1);
});
