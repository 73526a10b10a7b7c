import { expect, test } from "vitest";
import { seriousFindings } from "#tests/support/browser/accessibility.ts";
import { searchField, suggestions } from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, titleWithBrokenSource, watchPage } from "#tests/support/browser/pages.ts";
import { failureNote, isReady } from "#tests/support/browser/player.ts";
import { createVisits } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** axe checks the parts of a page that open later. The walk checks pages as they load. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const visit = createVisits(browser, site);

test("axe finds nothing serious with the filters or the suggestions open", async () => {
  const page = await visit("/browse", { viewport: { width: 390, height: 800 } });
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: /^Show \d+ titles$/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.context().close();

  const wide = await visit("/");
  await searchField(wide).pressSequentially("fullm");
  await suggestions(wide).first().waitFor();
  await wide.keyboard.press("ArrowDown");
  expect(await seriousFindings(wide)).toEqual([]);
});

test("axe finds nothing serious with the player's settings, key help, captions or failure note open", async () => {
  const page = await visit(watchPage);
  await isReady(page);
  await page.getByRole("button", { name: "Captions", exact: true }).click();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByLabel("Speed").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.goto(`${site.origin}/watch/${titleWithBrokenSource}/1`);
  await hydrated(page);
  await failureNote(page).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});
