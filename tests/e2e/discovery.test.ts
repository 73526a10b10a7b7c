import type { Page } from "playwright";
import { afterEach, expect, test } from "vitest";
import {
  filterAndComeBack,
  findBySuggestion,
  searchField,
  suggestions,
} from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { answerToForm, hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * A visitor finds titles by name, by filters and by the schedule, by mouse and by keyboard. tests/ci/journeys has the same
 * without scripts.
 */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);

let trouble: string[] = [];
afterEach(() => expect(trouble).toEqual([]));

async function visit(path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  // Hydration would undo what the test types before it.
  await hydrated(page);
  return page;
}

test("filters find a title, and the Back button restores filters and scroll position", async () => {
  const page = await visit("/browse");
  await filterAndComeBack(page, true);
  await page.context().close();
});

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
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe("without");
  await page.context().close();
});

test("suggestions stay when the site no longer answers, are remembered, and have the chosen language of titles", async () => {
  const page = await visit("/");
  const names = () => page.locator(".suggestion-name").allTextContents();
  await searchField(page).pressSequentially("shingeki");
  await suggestions(page).filter({ hasText: "Shingeki no Kyojin" }).first().waitFor();
  const before = await names();
  let asked = 0;
  await page.route("**/search/suggestions*", (route) => {
    asked++;
    return route.fulfill({ status: 429, json: { error: "Too many requests", status: 429, retryAfter: 30 } });
  });
  await searchField(page).pressSequentially(" n");
  await expect.poll(names).toEqual([...before.slice(0, -1), "All results for “shingeki n”"]);
  expect(asked).toBe(1);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await expect.poll(names).toEqual(before);
  expect(asked).toBe(1);
  await page.unroute("**/search/suggestions*");
  await page.getByLabel("Titles in").selectOption("english");
  await page
    .getByRole("link", { name: /Attack on Titan/ })
    .first()
    .waitFor({ state: "attached" });
  await searchField(page).fill("shingeki no");
  await suggestions(page)
    .filter({ hasText: /^Attack on Titan.*Shingeki no Kyojin/ })
    .first()
    .waitFor();
  await page.context().close();
});

test("recent searches are suggested, unless the visitor turned them off", async () => {
  const page = await visit("/");
  await searchField(page).fill("naruto");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/search?q=naruto");
  await page.goto(`${site.origin}/schedule`);
  await hydrated(page);
  await searchField(page).focus();
  await suggestions(page).filter({ hasText: "naruto" }).waitFor();
  await page.context().close();

  const context = await browser.newContext();
  await context.addCookies([{ name: "visitor", value: "trackSearchHistory=false", url: site.origin }]);
  const other = await context.newPage();
  trouble = watchForTrouble(other, site.origin);
  await other.goto(site.origin);
  await hydrated(other);
  await searchField(other).fill("naruto");
  await other.keyboard.press("Enter");
  await other.waitForURL("**/search?q=naruto");
  expect(await other.evaluate(() => localStorage.getItem("recentSearches"))).toBeNull();
  expect(await other.evaluate(() => localStorage.getItem("trackSearchHistory"))).toBe("false");
  await context.close();
});

test("the schedule uses the browser's time zone, and the chosen title language is remembered", async () => {
  const context = await browser.newContext({ timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}/schedule`);
  await page.getByText("in Berlin time").waitFor();
  const saved = answerToForm(page, "titleLanguage=english");
  await page.getByLabel("Titles in").selectOption("english");
  await saved;
  await page.goto(`${site.origin}/anime/16498`);
  await expect.poll(() => page.locator("h1").textContent()).toBe("Attack on Titan");
  await context.close();
});
