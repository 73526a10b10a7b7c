import type { Page } from "playwright";
import { expect, test } from "vitest";
import { faultsOfCardGrids } from "#tests/support/browser/card-grid.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The grids of tests/journeys/layouts.test.ts at every 24 px, in two windows, and the grids of some pages. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

test.each([1440, 2000])(
  "no number of cards leaves a lonely card in the last row, in a window of %i px",
  async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(`${site.origin}/browse`);
    await hydrated(page);
    expect(await faultsOfCardGrids(page, 24)).toEqual([]);
  },
);

/** For each grid of the page: the cards in its last row, and the width of its first card. On phones, seasons are lines. */
const grids = (page: Page) =>
  page.locator(".grid").evaluateAll((all) =>
    all.map((grid) => {
      const boxes = [...grid.children].map((card) => card.getBoundingClientRect());
      const last = boxes.filter(({ top }) => Math.abs(top - boxes.at(-1)!.top) < 1).length;
      const isWide = boxes.at(-1)!.width > grid.clientWidth - 1;
      const isLines = grid.hasAttribute("data-lines") && innerWidth < 600;
      const widthPx = isLines ? 0 : boxes[0]!.width;
      return { isLonely: last === 1 && boxes.length > 1 && !isWide, widthPx };
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

test("no grid of cards ends with one lonely card, and cards stay smaller than 300 px", async () => {
  const page = await browser.newPage();
  for (const path of pagesOfCards) {
    await page.goto(`${site.origin}${path}`);
    await hydrated(page);
    for (const width of [390, 560, 768, 1024, 1280, 1440, 1920, 2200]) {
      await page.setViewportSize({ width, height: 900 });
      const found = await grids(page);
      expect(found.length).toBeGreaterThan(0);
      const lonely = found.filter(({ isLonely, widthPx }) => isLonely || widthPx > 300);
      expect({ path, width, lonely }).toEqual({ path, width, lonely: [] });
    }
  }
});
