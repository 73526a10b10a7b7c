import { expect, test } from "vitest";
import { seriousFindings } from "#tests/support/browser/accessibility.ts";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { groundOf } from "#tests/support/browser/page-faults.ts";
import { filmPage, hydrated, watchForTrouble, watchPage } from "#tests/support/browser/pages.ts";
import { knowsTimeZone } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Themes and accent colors: which theme applies when, and its contrast. The walk checks every page in both themes. */

const [browser, site] = [await openBrowser({ hasPictures: false }), sharedSite()];

const light = "rgb(246, 247, 249)";
const dark = "rgb(14, 15, 19)";

async function visitor(theme: string, options: Parameters<typeof browser.newContext>[0] = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // With a time zone in the cookie, no page sends it. The answer would set the cookie anew, perhaps after a choice of
  // the test.
  await context.addCookies([{ name: "visitor", value: `theme=${theme}&tz=UTC`, url: site.origin }]);
  return context;
}

const colors = ["#0057e7", "#ffd400", "#000000", "#ffffff", "#777777"];

test("axe finds no contrast problem with any accent color, in both themes", async () => {
  const context = await visitor("system");
  const page = await context.newPage();
  const findings: string[] = [];
  for (const color of colors) {
    const value = new URLSearchParams({ enfasis: color, theme: "system", tz: "UTC" }).toString();
    await context.addCookies([{ name: "visitor", value, url: site.origin }]);
    await page.goto(`${site.origin}${filmPage}`);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await groundOf(page)).toBe(colorScheme === "dark" ? dark : light);
      const found = await seriousFindings(page, "contrast");
      findings.push(...found.map((finding) => `${color}, ${colorScheme}: ${finding}`));
    }
  }
  expect(findings).toEqual([]);
  await context.close();
});

test("the error page after a failed form keeps the visitor's accent color", async () => {
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
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  expect(before).toBe("#ffd400");
  await expect.poll(accent).toBe(before);
  expect(trouble.filter((line) => line.includes("Content Security Policy"))).toEqual([]);
  await context.close();
});

test("the theme of this device is followed, also when it changes", async () => {
  // Without this, axe would measure colors in the middle of their transition.
  const context = await visitor("system", { colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${site.origin}/browse`);
  await expect.poll(() => groundOf(page)).toBe(light);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect.poll(() => groundOf(page)).toBe(dark);
  expect(await seriousFindings(page)).toEqual([]);
  await context.close();
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
  await context.close();
});

test("a switch from light to the theme of a dark device applies the dark theme's accent at once", async () => {
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
  await expect.poll(accent).toBe(now);
  await context.close();
});

test("a choice in the footer leaves choices made in another tab unchanged", async () => {
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
  await expect
    .poll(async () => [await value("--surface-0"), await value("--accent-text")])
    .toEqual(["#fff", "#101114"]);
  await context.close();
});

test("a printed schedule shows all days, though a small screen shows one", async () => {
  const context = await visitor("light", { viewport: { width: 700, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${site.origin}/schedule`);
  const shownDays = () => page.locator(".day").filter({ visible: true }).count();
  await expect.poll(shownDays).toBe(1);
  await page.emulateMedia({ media: "print" });
  await expect.poll(shownDays).toBe(7);
  await context.close();
});

test("the watch page is dark, and the page after it is light again", async () => {
  const context = await visitor("light");
  const page = await context.newPage();
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
  await context.close();
});

test("a visitor without scripts chooses the theme in the footer", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin}/browse`);
  await page.getByLabel("Theme").selectOption("Light");
  await page.getByRole("contentinfo").getByRole("button", { name: "Apply" }).last().click();
  await expect.poll(() => groundOf(page)).toBe(light);
  expect(new URL(page.url()).pathname).toBe("/browse");
  await context.close();
});

test("a member chooses the theme in the settings, and it applies on the next device", async () => {
  const { context: here, page, email } = await signedIn({ browser, site, script: true });
  await page.goto(`${site.origin}/settings`);
  await hydrated(page);
  await page.locator("#main").getByLabel("Theme").selectOption("Light");
  await page.locator(".setting", { hasText: "Theme" }).getByText("Saved", { exact: true }).waitFor();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  const there = await browser.newContext();
  await there.request.post(`${site.origin}/api/auth/signin`, { data: { email, password: "Abcdef1!" } });
  const other = await there.newPage();
  await other.goto(`${site.origin}/list`);
  await expect.poll(() => groundOf(other)).toBe(light);
  await here.close();
  await there.close();
});
