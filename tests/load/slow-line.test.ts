import type { Page } from "playwright";
import { expect, test } from "vitest";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The browser cannot load these scripts. */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);

async function opened(path: string) {
  const { page } = await signedIn({ browser, site, script: true });
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return page;
}

const missing = (page: Page) =>
  page.getByText("This part of the page could not be loaded. Check the connection.");

async function tryAgain(page: Page, script: string) {
  await missing(page).waitFor();
  await page.unroute(script);
  await page.getByRole("button", { name: "Try again" }).click();
}

test("a crop dialog whose script does not load says so, and opens at the next try", async () => {
  const page = await opened("/profile/edit");
  const script = "**/crop-dialog-*.js";
  await page.route(script, (route) => route.abort());
  await page.locator("#avatar").setInputFiles("public/icon-512.png");
  await tryAgain(page, script);
  await page.getByRole("dialog", { name: "Choose the part to keep" }).waitFor();
  expect(await missing(page).count()).toBe(0);
});
