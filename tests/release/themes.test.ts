import { expect, test } from "vitest";
import { seriousFindings } from "#tests/support/browser/accessibility.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { groundOf, grounds } from "#tests/support/browser/page-faults.ts";
import { filmPage, hydrated } from "#tests/support/browser/pages.ts";
import { themeVisits } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Accent colors in axe, printed pages, and themes that are chosen in rarer ways than in tests/journeys/themes.test.ts. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const visitor = themeVisits(browser, site);
const { light, dark } = grounds;

const colors = ["#0057e7", "#ffd400", "#000000", "#ffffff", "#777777"];

test("axe finds no contrast problem with any accent color, in both themes", async () => {
  const page = await visitor("system");
  const findings: string[] = [];
  for (const color of colors) {
    const value = new URLSearchParams({ enfasis: color, theme: "system", tz: "UTC" }).toString();
    await page.context().addCookies([{ name: "visitor", value, url: site.origin }]);
    await page.goto(`${site.origin}${filmPage}`);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await groundOf(page)).toBe(colorScheme === "dark" ? dark : light);
      const found = await seriousFindings(page, "contrast");
      findings.push(...found.map((finding) => `${color}, ${colorScheme}: ${finding}`));
    }
  }
  expect(findings).toEqual([]);
});

test("a choice in the footer leaves choices made in another tab unchanged", async () => {
  const old = await visitor("dark");
  const other = await old.context().newPage();
  for (const page of [old, other]) {
    await page.goto(`${site.origin}/browse`);
    await hydrated(page);
  }
  await other.getByLabel("Theme").selectOption("Light");
  await expect.poll(() => groundOf(other)).toBe(light);
  await old.getByLabel("Titles in").selectOption("English");
  await expect.poll(() => groundOf(old)).toBe(light);
});

test("printed pages are dark on white in the light theme too", async () => {
  const page = await visitor("light");
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.emulateMedia({ media: "print" });
  const value = (name: string) =>
    page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of), name);
  await expect
    .poll(async () => [await value("--surface-0"), await value("--accent-text")])
    .toEqual(["#fff", "#101114"]);
});

test("a printed schedule shows all days, though a small screen shows one", async () => {
  const page = await visitor("light", { viewport: { width: 700, height: 800 } });
  await page.goto(`${site.origin}/schedule`);
  const shownDays = () => page.locator(".day").filter({ visible: true }).count();
  await expect.poll(shownDays).toBe(1);
  await page.emulateMedia({ media: "print" });
  await expect.poll(shownDays).toBe(7);
});

test("a visitor without scripts chooses the theme in the footer", async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${site.origin}/browse`);
  await page.getByLabel("Theme").selectOption("Light");
  await page.getByRole("contentinfo").getByRole("button", { name: "Apply" }).last().click();
  await expect.poll(() => groundOf(page)).toBe(light);
  expect(new URL(page.url()).pathname).toBe("/browse");
});
