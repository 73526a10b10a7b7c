import { expect, test } from "vitest";
import {
  cardNames,
  filterAndComeBack,
  findBySuggestion,
  searchField,
  suggestions,
} from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { createVisits, knowsTimeZone } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/**
 * A visitor finds titles by filter and keyboard, and reads a title's page. tests/e2e/discovery.test.ts has the filters with
 * scripts, and tests/release/discovery.test.ts more.
 */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const visit = createVisits(browser, site);

test("without scripts, filters find a title, and the Back button restores filters and scroll position", async () => {
  const page = await visit("/browse", { javaScriptEnabled: false });
  const found = await filterAndComeBack(page, false);
  const { pathname, search } = new URL(page.url());
  const visitor = await visit(pathname + search);
  expect(await cardNames(visitor)).toEqual(found);
});

test("years chosen in the wrong order change places in the form as in the address", async () => {
  const page = await visit("/browse");
  await page.getByLabel("To year").selectOption("2010");
  await page.waitForURL("**/browse?to=2010");
  await page.getByLabel("From year").selectOption("2015");
  await page.waitForURL("**/browse?from=2010&to=2015");
  await expect.poll(() => page.getByLabel("From year").inputValue()).toBe("2010");
  expect(await page.getByLabel("To year").inputValue()).toBe("2015");
});

test("a year chosen between a new address and its page stays, and so does half a tag", async () => {
  const page = await visit("/browse");
  await hydrated(page);
  await page.getByLabel("With", { exact: true }).fill("Scho");
  await page.evaluate(() => {
    const pushState = history.pushState.bind(history);
    const choose = (name: string) => {
      const select = document.querySelector<HTMLSelectElement>(`select[name="${name}"]`);
      if (select === null) return;
      select.value = "1998";
      select.dispatchEvent(new Event("change", { bubbles: true }));
    };
    history.pushState = (...state) => {
      pushState(...state);
      if (location.search === "?genre=sci-fi") choose("from");
      if (location.search === "?genre=sci-fi&from=1998") choose("to");
    };
  });
  await page.getByText("Sci-Fi", { exact: true }).first().click({ force: true });
  await page.waitForURL("**/browse?genre=sci-fi&year=1998");
  for (const year of ["From year", "To year"]) expect(await page.getByLabel(year).inputValue()).toBe("1998");
  await page.getByRole("link", { name: /^1998.*remove filter/ }).waitFor();
  expect(await page.getByLabel("With", { exact: true }).inputValue()).toBe("Scho");
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
  const genres = page.getByRole("group", { name: "Genres", exact: true });
  expect(await genres.getAttribute("aria-describedby")).toBe("genres-hint");
  expect(await page.locator("#genres-hint").textContent()).toBe("Each can be included, then excluded.");
  await page.locator('input[name="action"]').first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/browse?genre=action");
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/browse?without=action");
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value))
    .toBe("without");
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
});

test("showing all tags of a title moves the focus to the first new one", async () => {
  const page = await visit("/anime/5");
  await page.getByRole("link", { name: "Show 3 more tags" }).press("Enter");
  const focused = page.locator(":focus");
  await expect.poll(() => focused.textContent()).toMatch(/^Tag 13/);
});

test("the page of an episode takes the title language chosen in its footer", async () => {
  const page = await visit("/watch/16498/1");
  await knowsTimeZone(page);
  await page.getByLabel("Titles in").selectOption("romaji");
  await page.locator(".watch-series", { hasText: "Shingeki no Kyojin" }).waitFor();
});
