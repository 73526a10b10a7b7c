import { randomInt } from "node:crypto";
import type { Browser } from "playwright";
import { afterAll } from "vitest";
import { launchChromium } from "#tests/support/browser/launched-browsers.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/** A wait of this length means that the browser hangs. */
const timeoutMs = 180_000;

type Options = Parameters<typeof launchChromium>[0] & {
  /**
   * If true, the browser names an address of its own, as a proxy would. The shared site limits the pages of each client,
   * and would refuse some if the browsers of all files were one client.
   */
  isOwnClient?: boolean;
};

/** A real browser for the tests of one file. It closes at the end of the file, and each of its contexts with its test. */
export async function openBrowser({ isOwnClient = false, ...options }: Options = {}): Promise<Browser> {
  const browser = await launchChromium(options);
  afterAll(() => browser.close());
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  browser.on("context", async (context) => {
    atEnd(() => context.close());
    context.setDefaultTimeout(timeoutMs);
    if (isOwnClient) await context.setExtraHTTPHeaders({ "X-Forwarded-For": address });
  });
  return browser;
}
