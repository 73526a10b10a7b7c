import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import {
  chooseSciFiOf1998,
  findBySuggestion,
  searchField,
  suggestions,
} from "#tests/support/browser/discovery.ts";
import { discoveryJourneys, filterAndShare } from "#tests/support/browser/discovery-journeys.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { createVisits, knowsTimeZone } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * A visitor finds titles by name, filter, schedule and keyboard, and reads a title's page. tests/e2e/discovery.test.ts has
 * the filters with scripts.
 */

// This site can be reached by other machines and indexed by search engines.
const [browser, open] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ HOST: "0.0.0.0", INDEXING: "1" }),
]);
const site = sharedSite();

const visit = createVisits(browser, site);

test("without scripts, filters find a title, and the Back button restores filters and scroll position", () =>
  filterAndShare({ visit, origin: site.origin, script: false }));

test.each(discoveryJourneys)("$name", ({ run }) => run({ visit, origin: site.origin, script: true }));

test("search and filters work with the keyboard only", async () => {
  const page = await visit("/");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("/");
  await findBySuggestion(page);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await expect.poll(() => page.getByRole("status").filter({ hasText: "Cowboy Bebop" }).count()).toBe(1);

  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  await page.locator('input[name="action"]').first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/browse?genre=action");
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/browse?without=action");
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value))
    .toBe("without");
  await page.context().close();
});

test("Escape closes the suggestions, and a second Escape empties the field", async () => {
  const page = await visit("/");
  await searchField(page).pressSequentially("naru");
  // On a slow machine, the list of a part of the text comes first. A later list would open again after Escape.
  await suggestions(page).filter({ hasText: "All results for “naru”" }).waitFor();
  expect(await searchField(page).getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("Escape");
  expect(await suggestions(page).count()).toBe(0);
  expect(await searchField(page).inputValue()).toBe("naru");
  await page.keyboard.press("Escape");
  expect(await searchField(page).inputValue()).toBe("");
  await page.context().close();
});

test("on a phone, the strip of days marks the chosen day instead of today", async () => {
  const page = await visit("/schedule");
  await knowsTimeZone(page);
  await page.reload();
  await hydrated(page);
  await page.setViewportSize({ width: 390, height: 800 });
  const days = page.getByRole("navigation", { name: "Days" }).getByRole("link");
  const marked = () =>
    days.evaluateAll((all) => all.findIndex((day) => day.getAttribute("aria-current") === "date"));
  await expect.poll(marked).toBeGreaterThanOrEqual(0);
  const today = await marked();
  const other = (today + 3) % 7;
  await days.nth(other).click();
  await expect.poll(marked).toBe(other);
  await page.context().close();
});

const networkAddresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
const lanIp = networkAddresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test.runIf(lanIp !== undefined)(
  "suggestions and filters work at another IP address of this machine, over plain HTTP",
  async () => {
    const origin = `http://${lanIp}:${new URL(open.origin).port}`;
    const page = await createVisits(browser, { origin })("/");
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await findBySuggestion(page);
    await page.goto(`${origin}/browse`);
    await hydrated(page);
    await chooseSciFiOf1998(page, true);
    await page.context().close();
  },
);

test("with INDEXING=1, robots.txt, the sitemap and the pages allow indexing", async () => {
  const robots = await (await fetch(`${open.origin}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${open.origin}/sitemap.xml`);
  expect(robots).not.toMatch(/^Disallow: \/$/m);
  expect(robots).toMatch(/^Disallow: \/v4\/$/m);
  const sitemap = await (await fetch(`${open.origin}/sitemap.xml`)).text();
  expect(sitemap).toContain(`<loc>${open.origin}/anime/1/cowboy-bebop</loc>`);
  expect(sitemap).toContain(`<loc>${open.origin}/seasons/1998/spring</loc>`);
  expect(await (await fetch(open.origin)).text()).not.toContain('content="noindex"');
});

test("showing all tags of a title moves the focus to the first new one", async () => {
  const page = await visit("/anime/5");
  await page.getByRole("link", { name: "Show 3 more tags" }).press("Enter");
  const focused = page.locator(":focus");
  await expect.poll(() => focused.textContent()).toMatch(/^Tag 13/);
  await page.context().close();
});
