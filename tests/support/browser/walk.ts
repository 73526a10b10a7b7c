import type { BrowserContext, BrowserContextOptions, Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { faultsOfPage, faultsOfTabStops, faultsWithoutScripts } from "#tests/support/browser/page-faults.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { noteScripts } from "#tests/support/checks/script-bytes.ts";
import type { PageState } from "#tests/support/page-states.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

type Walk = {
  pages: readonly PageState[];
  /** Signs the walking user in to the context and sets the theme "system", which follows the device. */
  enter(context: BrowserContext): Promise<unknown>;
  /** If true, each visit presses Tab until the focus leaves the page. */
  hasTabStops: boolean;
  /** The limit for the scripts of each page except those with the player. */
  maxScriptBytes?: number;
};

/** Opens each page once for both themes and once without scripts, and checks what must be right everywhere. */
export async function walk({ pages, enter, hasTabStops, maxScriptBytes }: Walk) {
  const [browser, site] = [await openBrowser(), sharedSite()];

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      // During an animation, axe would measure intermediate colors, and the test intermediate positions.
      reducedMotion: "reduce",
      colorScheme: "dark",
      ...options,
    });
    await enter(context);
    return context.newPage();
  }

  describe("with scripts", () => {
    let page: Page;
    let trouble: string[];
    let scripts: ReturnType<typeof noteScripts>;
    beforeAll(async () => {
      page = await open();
      trouble = watchForTrouble(page, site.origin);
      scripts = noteScripts(page);
      return () => page.context().close();
    });

    test.each(pages)(
      "$path is accessible in both themes, fits every window and reports no error",
      async ({ path, status = 200 }) => {
        scripts.clear();
        const answer = await page.goto(site.origin + path);
        expect(answer?.status()).toBe(status);
        await hydrated(page);
        const faults = await faultsOfPage(page);
        if (maxScriptBytes !== undefined && !path.startsWith("/watch/")) {
          const bytes = await scripts.bytes();
          if (bytes > maxScriptBytes) faults.push(`it loads ${bytes} bytes of script`);
        }
        if (hasTabStops) faults.push(...(await faultsOfTabStops(page)));
        expect([...faults, ...trouble.splice(0)]).toEqual([]);
      },
    );
  });

  describe("without scripts", () => {
    let page: Page;
    beforeAll(async () => {
      page = await open({ javaScriptEnabled: false, viewport: { width: 320, height: 568 } });
      return () => page.context().close();
    });

    test.each(pages)("$path has its heading and fits", async ({ path }) => {
      await page.goto(site.origin + path);
      expect(await faultsWithoutScripts(page)).toEqual([]);
    });
  });
}
