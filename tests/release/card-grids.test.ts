import { expect, test } from "vitest";
import { faultsOfCardGrids } from "#tests/support/browser/card-grid.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The grids of tests/journeys/layouts.test.ts at every 24 px, in two windows. */

const [browser, site] = [await openBrowser({ hasPictures: false }), sharedSite()];

test.each([1440, 2000])(
  "no number of cards leaves a lonely card in the last row, in a window of %i px",
  async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(`${site.origin}/browse`);
    await hydrated(page);
    expect(await faultsOfCardGrids(page, 24)).toEqual([]);
    await page.close();
  },
);
