import { type Browser, chromium } from "playwright";
import { afterAll } from "vitest";
import { findBrowser } from "../../../ops/browser.mjs";

/** A real browser for the journeys of one file, closed with it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  if (!executablePath) throw new Error("No browser: npx playwright install chromium");
  const browser = await chromium.launch({
    executablePath,
    // Root has no sandbox, and containers no GPU.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
  afterAll(() => browser.close());
  return browser;
}
