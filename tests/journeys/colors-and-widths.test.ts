import type { Page } from "playwright";
import { expect, test } from "vitest";
import { overflow, seriousFindings } from "#tests/support/browser/accessibility.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  hydrated,
  importExtremeTitles,
  pagesInEveryState,
  watchForTrouble,
} from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Pages with extreme accent colors, and in windows so narrow that content could overflow. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
importExtremeTitles(site);

const colors = ["#0057e7", "#ffd400", "#000000", "#ffffff", "#777777"];

test.each(["dark", "light"].flatMap((theme) => colors.map((color) => [theme, color] as const)))(
  "axe finds no contrast problem in the %s theme with the accent color %s",
  async (theme, color) => {
    for (const path of [
      "/browse?genre=action&without=ecchi&type=tv",
      "/anime/900000001/engawa",
      "/schedule",
    ]) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const value = new URLSearchParams({ enfasis: color, theme }).toString();
      await context.addCookies([{ name: "visitor", value, url: site.origin }]);
      const page = await context.newPage();
      await page.goto(`${site.origin}${path}`);
      const findings = await seriousFindings(page);
      expect(findings).toEqual([]);
      await context.close();
    }
  },
);

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
  expect(await accent()).toBe(before);
  expect(trouble.filter((line) => line.includes("Content Security Policy"))).toEqual([]);
  await context.close();
});

test("pages fit without horizontal scrolling in 320 px, and in 1280 px at 400 % zoom", async () => {
  const viewport = { width: 320, height: 568 };
  const narrow = await browser.newPage({ viewport });
  const zoomed = await browser.newPage({ viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 });
  const withoutScripts = await browser.newPage({ viewport, javaScriptEnabled: false });
  for (const path of pagesInEveryState)
    for (const page of [narrow, zoomed, withoutScripts]) {
      await page.goto(`${site.origin}${path}`);
      expect({ path, overflow: await overflow(page) }).toEqual({ path, overflow: 0 });
    }
  for (const page of [narrow, zoomed, withoutScripts]) await page.close();
});

/** Of each grid of the page, the cards in its last row and its first card's width. A grid of one row has no other row. */
const grids = (page: Page) =>
  page.locator(".grid").evaluateAll((all) =>
    all.map((grid) => {
      const boxes = [...grid.children].map((card) => card.getBoundingClientRect());
      const last = boxes.filter(({ top }) => Math.abs(top - boxes.at(-1)!.top) < 1).length;
      const isWide = boxes.at(-1)!.width > grid.clientWidth - 1;
      return { isLonely: last === 1 && boxes.length > 1 && !isWide, widthPx: boxes[0]!.width };
    }),
  );

/** Full pages of results, and seasons whose numbers of titles leave one over in 3, 4, 5, 6 or 7 columns. */
const pagesOfCards = [
  "/browse",
  "/search",
  "/seasons/2007/spring",
  "/seasons/2014/summer",
  "/seasons/2015/fall",
];

test.each([390, 560, 768, 1024, 1280, 1440, 1920, 2200])(
  "at %i px no grid of cards ends with one lonely card, and cards stay smaller than 300 px",
  async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    for (const path of pagesOfCards) {
      await page.goto(`${site.origin}${path}`);
      const found = await grids(page);
      expect(found.length).toBeGreaterThan(0);
      expect({ path, lonely: found.filter(({ isLonely, widthPx }) => isLonely || widthPx > 300) }).toEqual({
        path,
        lonely: [],
      });
    }
    await page.close();
  },
);
