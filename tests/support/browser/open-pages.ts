import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import type { Device } from "#tests/support/browser/device.ts";
import { firefoxDevice, openFirefox } from "#tests/support/browser/firefox-device.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";

export type BrowserName = "chromium" | "firefox";
type OpenPage = { device: Device; close(): Promise<void> };

/** Starts a browser. The returned function opens a page in it. */
export async function openPages(browser: BrowserName): Promise<(origin: string) => Promise<OpenPage>> {
  if (browser === "firefox") {
    const firefox = await openFirefox();
    return async (origin) => {
      const page = await firefox.newPage();
      return { device: firefoxDevice(page, origin), close: () => page.close() };
    };
  }
  const chromium = await openBrowser();
  return async (origin) => {
    const page = await chromium.newPage({ hasTouch: true });
    return { device: await chromiumDevice(page, origin), close: () => page.close() };
  };
}
