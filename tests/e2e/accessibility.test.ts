import type { Page } from "playwright";
import { expect, test } from "vitest";
import { overflow, seriousFindings } from "#tests/support/axe.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { startSite } from "#tests/support/site.ts";
import {
  adultTitle,
  brokenPictures,
  comingTitle,
  importOddTitles,
  longTitle,
  shortTitle,
  watchForTrouble,
} from "#tests/support/visit.ts";

/** Every page in its states: nothing serious for axe, and no sideways scrolling however narrow. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
importOddTitles(site);

const pages = [
  "/api",
  "/",
  "/browse",
  "/browse?genre=action&without=ecchi&type=tv&score=7",
  "/browse?genre=sci-fi&year=1917",
  "/browse?year=2031&season=spring",
  "/browse?page=9999",
  "/search",
  "/search?q=naruto",
  "/search?q=cowbyo+bebob",
  "/search?q=zzzzqqqq",
  "/anime/900000001/engawa",
  "/anime/21/one-piece",
  longTitle,
  shortTitle,
  comingTitle,
  brokenPictures,
  adultTitle,
  "/schedule",
  "/schedule?week=1950-01-02",
  "/seasons/2024/fall",
  "/seasons/1902/winter",
  "/no/such/page",
];

async function open(path: string, options: Parameters<typeof browser.newContext>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(`${site.origin}${path}`);
  return page;
}

test.each(pages)("axe finds nothing serious on %s", async (path) => {
  const page = await open(path);
  const trouble = watchForTrouble(page, site.origin);
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.locator("h1").count()).toBe(1);
  expect(await page.title()).toMatch(/Engawa/);
  expect(trouble).toEqual([]);
  await page.context().close();
});

test("nor with the filters or the suggestions open", async () => {
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

test.each(["#0057e7", "#ffd400", "#000000", "#ffffff", "#777777"])(
  "words stay readable with %s as the accent",
  async (color) => {
    for (const path of [
      "/browse?genre=action&without=ecchi&type=tv",
      "/anime/900000001/engawa",
      "/schedule",
    ]) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const value = new URLSearchParams({ enfasis: color }).toString();
      await context.addCookies([{ name: "visitor", value, url: site.origin }]);
      const page = await context.newPage();
      await page.goto(`${site.origin}${path}`);
      const findings = await seriousFindings(page);
      expect(findings).toEqual([]);
      await context.close();
    }
  },
);

test("320 px, and 400 % of 1280 px, need no sideways scrolling", async () => {
  const narrow = await open("/", { viewport: { width: 320, height: 568 } });
  const zoomed = await open("/", { viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 });
  const bare = await open("/", { viewport: { width: 320, height: 568 }, javaScriptEnabled: false });
  for (const path of pages)
    for (const page of [narrow, zoomed, bare]) {
      await page.goto(`${site.origin}${path}`);
      expect({ path, overflow: await overflow(page) }).toEqual({ path, overflow: 0 });
    }
  for (const page of [narrow, zoomed, bare]) await page.context().close();
});

test("one tab stop a card, and nothing on it that only a pointer finds", async () => {
  const page = await open("/browse");
  const stops = await page
    .locator(".grid > li")
    .evaluateAll((cards) =>
      cards.map((card) => card.querySelectorAll("a, button, input, [tabindex]").length),
    );
  expect(new Set(stops)).toEqual(new Set([1]));
  await page.context().close();
});
