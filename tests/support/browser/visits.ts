import type { Browser, BrowserContextOptions, Page } from "playwright";
import { afterEach, expect } from "vitest";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import type { Site } from "#tests/support/site/running-site.ts";

/**
 * Waits for the answer to the time zone that a page sends once. The answer sets the cookie anew, and can change the days
 * and times shown.
 */
export const knowsTimeZone = (page: Page) =>
  expect.poll(async () => (await page.context().cookies()).map(({ value }) => value).join()).toContain("tz=");

/** Opens pages of the site, each in a browser context of its own, on a desktop unless the options say otherwise. After each test, fails if one of its visits caused trouble. */
export function createVisits(browser: Browser, site: Pick<Site, "origin">) {
  const trouble: string[][] = [];
  afterEach(() => expect(trouble.splice(0).flat()).toEqual([]));
  return async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    trouble.push(watchForTrouble(page, site.origin));
    await page.goto(`${site.origin}${path}`);
    // Hydration would undo any text typed earlier.
    if (options.javaScriptEnabled !== false) await hydrated(page);
    return page;
  };
}

/** Returns a function that opens a page for a visitor with a theme, on a desktop unless the options say otherwise. */
export const themeVisits =
  (browser: Browser, site: Pick<Site, "origin">) =>
  async (theme: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    // With a time zone in the cookie, no page sends it. The answer would set the cookie anew, perhaps after a choice of
    // the test.
    await context.addCookies([{ name: "visitor", value: `theme=${theme}&tz=UTC`, url: site.origin }]);
    return context.newPage();
  };
