import type { Page } from "playwright";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser.ts";
import { startSite } from "#tests/support/site.ts";

const [browser, site] = await Promise.all([openBrowser(), startSite()]);

/** Everything the browser complains of, and every address that is not ours. */
function watch(page: Page) {
  const trouble: string[] = [];
  page.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${site.origin}/`) && !request.url().startsWith("data:"))
      trouble.push(request.url());
  });
  return trouble;
}

test.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("the first page shows itself %s, and asks nobody else for anything", async (_, javaScriptEnabled) => {
  const page = await browser.newPage({ javaScriptEnabled });
  const trouble = watch(page);
  const answer = await page.goto(site.origin, { waitUntil: "networkidle" });
  expect(answer?.status()).toBe(200);
  expect(await page.locator("body").innerText()).not.toBe("");
  expect(trouble).toEqual([]);
  await page.close();
});
