import { chromiumDevice } from "./chromium-device.ts";
import type { Device } from "./device.ts";
import { firefoxDevice, openFirefox } from "./firefox-device.ts";
import { openBrowser } from "./open-browser.ts";

type OpenPage = { device: Device; close(): Promise<void> };

/** Starts Chromium and Firefox. The returned function opens a page in one of them. */
export async function openPages() {
  const [chromium, firefox] = await Promise.all([openBrowser(), openFirefox()]);
  return async (browser: "chromium" | "firefox", origin: string): Promise<OpenPage> => {
    if (browser === "firefox") {
      const page = await firefox.newPage();
      return { device: firefoxDevice(page, origin), close: () => page.close() };
    }
    const page = await chromium.newPage({ hasTouch: true });
    return { device: await chromiumDevice(page, origin), close: () => page.close() };
  };
}
