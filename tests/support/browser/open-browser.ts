import { type Browser, chromium } from "playwright";
import { afterAll } from "vitest";
import { findBrowser } from "../../../ops/browser.mjs";

/**
 * A real browser for the tests of one file. It closes at the end of the file. Without pictures, the site draws no posters,
 * which takes more time than all the rest of a page.
 */
export async function openBrowser({ hasPictures = true } = {}): Promise<Browser> {
  const executablePath = await findBrowser();
  if (!executablePath) throw new Error("No browser was found. Run: npx playwright install chromium");
  const browser = await chromium.launch({
    executablePath,
    // Chromium's sandbox does not start as root, and containers have no GPU.
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
      ...(hasPictures ? [] : ["--blink-settings=imagesEnabled=false"]),
    ],
  });
  afterAll(() => browser.close());
  return browser;
}
