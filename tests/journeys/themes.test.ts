import { expect, test } from "vitest";
import { seriousFindings } from "#tests/support/browser/accessibility.ts";
import { signIn } from "#tests/support/browser/accounts.ts";
import { hasFocus, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { groundOf, grounds } from "#tests/support/browser/page-faults.ts";
import { filmPage, hydrated, watchForTrouble, watchPage } from "#tests/support/browser/pages.ts";
import { knowsTimeZone, themeVisits } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/**
 * Themes and accent colors: which theme applies when, and its contrast. The walk checks every page in both themes, and
 * tests/release has more.
 */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const visitor = themeVisits(browser, site);
const { light, dark } = grounds;

test("the error page after a failed form takes the focus and keeps the visitor's accent color", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const value = new URLSearchParams({ enfasis: "#ffd400" }).toString();
  await context.addCookies([{ name: "visitor", value, url: site.origin }]);
  const page = await context.newPage();
  const trouble = watchForTrouble(page, site.origin);
  await page.goto(site.origin);
  await hydrated(page);
  const accent = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));
  const before = await accent();
  await page.route("**/visitor.data*", (route) => route.fulfill({ status: 500, body: "out of order" }));
  await page.getByLabel("Titles in").selectOption("english");
  const heading = page.getByRole("heading", { name: "Something went wrong" });
  await heading.waitFor();
  await expect.poll(() => hasFocus(heading)).toBe(true);
  expect(before).toBe("#ffd400");
  await expect.poll(accent).toBe(before);
  expect(trouble.filter((line) => line.includes("Content Security Policy"))).toEqual([]);
});

test("on paper, the dark name of a title does not lie on its picture", async () => {
  const page = await visitor("dark");
  await page.goto(site.origin + filmPage);
  const picture = page.locator(".hero-backdrop");
  expect(await picture.isVisible()).toBe(true);
  await page.emulateMedia({ media: "print" });
  expect(await picture.isVisible()).toBe(false);
});

test("the theme of this device is followed, also when it changes", async () => {
  // Without this, axe would measure colors in the middle of their transition.
  const page = await visitor("system", { colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(`${site.origin}/browse`);
  await expect.poll(() => groundOf(page)).toBe(light);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect.poll(() => groundOf(page)).toBe(dark);
  expect(await seriousFindings(page)).toEqual([]);
});

test("without a choice, a page follows the device, and stays dark for visitors from before that", async () => {
  const context = await browser.newContext({ colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(`${site.origin}/browse`);
  await expect.poll(() => groundOf(page)).toBe(light);
  await knowsTimeZone(page);
  await context.addCookies([{ name: "visitor", value: "tz=Europe%2FBerlin", url: site.origin }]);
  await page.goto(`${site.origin}/browse`);
  await expect.poll(() => groundOf(page)).toBe(dark);
});

test("a switch from light to the theme of a dark device applies the dark theme's accent at once", async () => {
  const page = await visitor("light", { colorScheme: "dark" });
  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  await page.getByLabel("Theme").selectOption("As this device");
  await expect.poll(() => groundOf(page)).toBe(dark);
  const accent = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent-text"));
  const now = await accent();
  await page.reload();
  await expect.poll(accent).toBe(now);
});

test("the watch page is dark, and the page after it is light again", async () => {
  const page = await visitor("light");
  await page.goto(`${site.origin}${filmPage}`);
  await hydrated(page);
  await page.locator(`a[href^="${watchPage}"]`).first().click();
  await page.waitForURL(`**${watchPage}*`);
  await page.getByRole("heading", { name: /^Episode 1/ }).waitFor();
  await expect.poll(() => groundOf(page)).toBe(dark);
  await page.goBack();
  await page.waitForURL("**/engawa");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  await page.goto(`${site.origin}${watchPage}`);
  await hydrated(page);
  expect([await groundOf(page), await seriousFindings(page)]).toEqual([dark, []]);
});

test("a member chooses the theme in the settings, and it applies on the next device", async () => {
  const { page, email } = await signedIn({ browser, site, script: true });
  await page.goto(`${site.origin}/settings`);
  await hydrated(page);
  await page.locator("#main").getByLabel("Theme").selectOption("Light");
  await page.locator(".setting", { hasText: "Theme" }).getByText("Saved", { exact: true }).waitFor();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  const there = await browser.newContext();
  await signIn(there, site, { email, password: "Abcdef1!" });
  const other = await there.newPage();
  await other.goto(`${site.origin}/list`);
  await expect.poll(() => groundOf(other)).toBe(light);
});
