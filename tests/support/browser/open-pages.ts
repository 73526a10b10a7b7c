import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import type { Device } from "#tests/support/browser/device.ts";
import { firefoxDevice, openFirefox } from "#tests/support/browser/firefox-device.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { watchForTrouble } from "#tests/support/browser/pages.ts";

export type BrowserName = "chromium" | "firefox";
/** `trouble`: see `watchForTrouble`. Firefox tells none. */
type OpenPage = { device: Device; trouble: string[]; close(): Promise<void> };

/** Starts a browser. The returned function opens a page in it. */
export async function openPages(browser: BrowserName): Promise<(origin: string) => Promise<OpenPage>> {
  if (browser === "firefox") {
    const firefox = await openFirefox();
    return async (origin) => {
      const page = await firefox.newPage();
      return { device: firefoxDevice(page, origin), trouble: [], close: () => page.close() };
    };
  }
  const chromium = await openBrowser();
  return async (origin) => {
    const page = await chromium.newPage({ hasTouch: true });
    const trouble = watchForTrouble(page, origin);
    return { device: await chromiumDevice(page, origin), trouble, close: () => page.close() };
  };
}
