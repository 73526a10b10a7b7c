import { type Browser, chromium } from "playwright";
import { afterAll } from "vitest";
import { findBrowser } from "../../../ops/browser.mjs";

/** A real browser for the tests of one file. It closes at the end of the file. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  if (!executablePath) throw new Error("No browser was found. Run: npx playwright install chromium");
  const browser = await chromium.launch({
    executablePath,
    // Chromium's sandbox does not start as root, and containers have no GPU.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
  afterAll(() => browser.close());
  return browser;
}
