import type { BrowserContext, BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  faultsOfPage,
  faultsOfTabStops,
  faultsWithoutScripts,
  type Theme,
} from "#tests/support/browser/page-faults.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import type { PageState } from "#tests/support/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

type Walk = {
  pages: readonly PageState[];
  /** Signs the walking user in to the context and sets the theme. */
  enter(context: BrowserContext, theme: Theme): Promise<unknown>;
  /** If true, each visit in the dark theme presses Tab until the focus leaves the page. The stops are the same in both themes. */
  hasTabStops: boolean;
};

/** Opens each page in both themes and without scripts, and checks what must be right everywhere. */
export async function walk({ pages, enter, hasTabStops }: Walk) {
  const [browser, site] = [await openBrowser(), sharedSite()];

  async function open(theme: Theme, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      // During an animation, axe would measure intermediate colors, and the test intermediate positions.
      reducedMotion: "reduce",
      ...options,
    });
    await enter(context, theme);
    return context.newPage();
  }

  describe.each(["dark", "light"] as const)("in the %s theme", (theme) => {
    let page: Page;
    let trouble: string[];
    beforeAll(async () => {
      page = await open(theme);
      trouble = watchForTrouble(page, site.origin);
      return () => page.context().close();
    });

    test.each(pages)(
      "$path is accessible, fits every window and reports no error",
      async ({ path, status = 200 }) => {
        const answer = await page.goto(site.origin + path);
        expect(answer?.status()).toBe(status);
        await hydrated(page);
        const faults = await faultsOfPage(page, theme);
        if (hasTabStops && theme === "dark") faults.push(...(await faultsOfTabStops(page)));
        expect([...faults, ...trouble.splice(0)]).toEqual([]);
      },
    );
  });

  describe("without scripts", () => {
    let page: Page;
    beforeAll(async () => {
      page = await open("dark", { javaScriptEnabled: false, viewport: { width: 320, height: 568 } });
      return () => page.context().close();
    });

    test.each(pages)("$path has its heading and fits", async ({ path }) => {
      await page.goto(site.origin + path);
      expect(await faultsWithoutScripts(page)).toEqual([]);
    });
  });
}
