import type { Page } from "playwright";
import { afterEach, expect, test } from "vitest";
import { seriousFindings } from "#tests/support/browser/accessibility.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  hydrated,
  importExtremeTitles,
  pagesInEveryState,
  watchForTrouble,
} from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** axe checks every page in each of its states. colors-and-widths.test.ts checks colors and widths. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
importExtremeTitles(site);

let trouble: string[] = [];
afterEach(() => expect(trouble).toEqual([]));

async function open(path: string, options: Parameters<typeof browser.newContext>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return page;
}

test.each(pagesInEveryState)("axe finds nothing serious on %s", async (path) => {
  const page = await open(path);
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.locator("h1").count()).toBe(1);
  expect(await page.title()).toMatch(/Engawa/);
  await page.context().close();
});

test("axe finds nothing serious with the filters or the suggestions open", async () => {
  const page = await open("/browse", { viewport: { width: 390, height: 800 } });
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: /^Show \d+ titles$/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.context().close();

  const wide = await open("/");
  await wide.getByRole("banner").getByRole("combobox", { name: "Search titles" }).pressSequentially("fullm");
  await wide.getByRole("listbox", { name: "Suggestions" }).getByRole("option").first().waitFor();
  await wide.keyboard.press("ArrowDown");
  expect(await seriousFindings(wide)).toEqual([]);
  await wide.context().close();
});

test("every card of a listing has exactly one focusable element", async () => {
  const page = await open("/browse");
  const counts = await page
    .locator(".grid > li")
    .evaluateAll((cards) =>
      cards.map((card) => card.querySelectorAll("a, button, input, [tabindex]").length),
    );
  expect(new Set(counts)).toEqual(new Set([1]));
  await page.context().close();
});
