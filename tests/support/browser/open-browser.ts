import type { Browser } from "playwright";
import { afterAll } from "vitest";
import { launchChromium } from "#tests/support/browser/launched-browsers.ts";

/** A wait of this length means that the browser hangs. */
const timeoutMs = 60_000;

/** A real browser for the tests of one file. It closes at the end of the file. */
export async function openBrowser(options: Parameters<typeof launchChromium>[0] = {}): Promise<Browser> {
  const browser = await launchChromium(options);
  afterAll(() => browser.close());
  browser.on("context", (context) => context.setDefaultTimeout(timeoutMs));
  return browser;
}
