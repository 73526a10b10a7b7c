import type { BrowserContext, Page } from "playwright";
import { expect, test } from "vitest";
import { seriousFindings } from "#tests/support/browser/accessibility.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, importExtremeTitles, pagesInEveryState } from "#tests/support/browser/pages.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The light theme: who gets it and when, on every page. colors-and-widths.test.ts has extreme accents in it. */

const [browser, site] = await Promise.all([openBrowser(), startSite({ RATE_LIMIT_POINTS: "5000" })]);
importExtremeTitles(site);
const member = JSON.parse(runTool(site, "demo", ["--json"])) as { email: string; password: string };
runTool(site, "user", ["operator", member.email]);

const light = "rgb(246, 247, 249)";
const dark = "rgb(14, 15, 19)";

const groundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

async function visitor(theme: string, options: Parameters<typeof browser.newContext>[0] = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await context.addCookies([{ name: "visitor", value: `theme=${theme}`, url: site.origin }]);
  return context;
}

async function signedIn(context: BrowserContext): Promise<Page> {
  const answer = await context.request.post(`${site.origin}/api/auth/signin`, { data: member });
  expect(answer.status()).toBe(200);
  return context.newPage();
}

const watchPage = "/watch/900000001/1";

test("axe finds nothing serious on any page of visitors, on wide screens and phones", async () => {
  for (const width of [1280, 390]) {
    const context = await visitor("light", { viewport: { width, height: 800 } });
    const page = await context.newPage();
    for (const path of pagesInEveryState) {
      await page.goto(`${site.origin}${path}`);
      expect([path, await groundOf(page), await seriousFindings(page)]).toEqual([path, light, []]);
    }
    await context.close();
  }
});

test.each([
  "/",
  "/anime/1/cowboy-bebop",
  "/list",
  "/list?view=grid",
  "/history",
  "/profile",
  "/profile/edit",
  "/settings",
  "/settings/import",
  "/signup/profile",
  "/signup/tastes",
  "/profiles",
  "/profiles/manage",
  "/admin",
  "/admin/users",
  "/admin/episode?id=900000001&episode=1",
  "/admin/films",
  "/admin/feeds",
])("axe finds nothing serious on %s of a member", async (path) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await signedIn(context);
  await context.request.post(`${site.origin}/api/saveUserPreferences`, { data: { theme: "light" } });
  await page.goto(`${site.origin}${path}`);
  expect(await groundOf(page)).toBe(light);
  expect(await seriousFindings(page)).toEqual([]);
  await context.close();
});

test("the theme of this device is followed, also when it changes", async () => {
  // Without it, axe would measure colors on their way from one theme to the other.
  const context = await visitor("system", { colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${site.origin}/browse`);
  expect(await groundOf(page)).toBe(light);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  expect(await groundOf(page)).toBe(dark);
  expect(await seriousFindings(page)).toEqual([]);
  await context.close();
});

test("without a choice a page is dark, also in a browser that asks for light", async () => {
  const page = await browser.newPage({ colorScheme: "light" });
  await page.goto(`${site.origin}/browse`);
  expect(await groundOf(page)).toBe(dark);
  await page.close();
});

test("who changes from light to the theme of a dark device reads the accent of the dark theme at once", async () => {
  const context = await visitor("light", { colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  await page.getByLabel("Theme").selectOption("As this device");
  await expect.poll(() => groundOf(page)).toBe(dark);
  const accent = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent-text"));
  const now = await accent();
  await page.reload();
  expect(await accent()).toBe(now);
  await context.close();
});

test("a choice in the footer changes nothing that was chosen in another tab", async () => {
  const context = await visitor("dark");
  const [old, other] = [await context.newPage(), await context.newPage()];
  for (const page of [old, other]) {
    await page.goto(`${site.origin}/browse`);
    await hydrated(page);
  }
  await other.getByLabel("Theme").selectOption("Light");
  await expect.poll(() => groundOf(other)).toBe(light);
  await old.getByLabel("Titles in").selectOption("English");
  await expect.poll(() => groundOf(old)).toBe(light);
  await context.close();
});

test("printed pages are dark on white in the light theme too", async () => {
  const context = await visitor("light");
  const page = await context.newPage();
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.emulateMedia({ media: "print" });
  const value = (name: string) =>
    page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of), name);
  expect([await value("--surface-0"), await value("--accent-text")]).toEqual(["#fff", "#101114"]);
  await context.close();
});

test("the watch page is dark, and the page after it is light again", async () => {
  const context = await visitor("light");
  const page = await context.newPage();
  await page.goto(`${site.origin}/anime/900000001/engawa`);
  await hydrated(page);
  await page.locator(`a[href^="${watchPage}"]`).first().click();
  await page.waitForURL(`**${watchPage}*`);
  await page.getByRole("heading", { name: /^Episode 1/ }).waitFor();
  expect(await groundOf(page)).toBe(dark);
  await page.goBack();
  await page.waitForURL("**/engawa");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  await page.goto(`${site.origin}${watchPage}`);
  expect([await groundOf(page), await seriousFindings(page)]).toEqual([dark, []]);
  await context.close();
});

test("a visitor without scripts chooses the theme in the footer", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin}/browse`);
  await page.getByLabel("Theme").selectOption("Light");
  await page.getByRole("contentinfo").getByRole("button", { name: "Apply" }).last().click();
  expect(new URL(page.url()).pathname).toBe("/browse");
  expect(await groundOf(page)).toBe(light);
  await context.close();
});

test("a member chooses it in the settings, and it is there on the next device", async () => {
  const [here, there] = await Promise.all([browser.newContext(), browser.newContext()]);
  const page = await signedIn(here);
  await here.request.post(`${site.origin}/api/saveUserPreferences`, { data: { theme: "dark" } });
  await page.goto(`${site.origin}/settings`);
  await hydrated(page);
  await page.locator("#main").getByLabel("Theme").selectOption("Light");
  await page.locator("#main").getByRole("button", { name: "Save" }).first().click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  const other = await signedIn(there);
  await other.goto(`${site.origin}/list`);
  expect(await groundOf(other)).toBe(light);
  await here.close();
  await there.close();
});
