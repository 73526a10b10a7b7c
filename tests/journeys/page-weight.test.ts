import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  brokenPictures,
  filmPage,
  hydrated,
  longTitle,
  watchForTrouble,
} from "#tests/support/browser/pages.ts";
import { maxScriptBytes, scriptBytes } from "#tests/support/checks/script-bytes.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/**
 * The weight of a first visit: script bytes, layout shifts, and requests to other hosts. The walk of operators counts the
 * scripts of members' pages.
 */

const [browser, site] = [await openBrowser({ isOwnClient: true }), sharedSite()];

/** The second title has no film. */
const pages = ["/", "/browse", filmPage, "/anime/1/cowboy-bebop"];
test.each(pages)(
  "a first visit to %s loads at most 140 kB of script, requests no other host and does not shift its layout",
  async (path) => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const trouble = watchForTrouble(page, site.origin);
    expect(await scriptBytes(page, `${site.origin}${path}`)).toBeLessThanOrEqual(maxScriptBytes);

    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
          }).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        }),
    );
    expect(shift).toBeLessThan(0.02);
    expect(trouble).toEqual([]);
  },
);

test("the longest name can be read to its end on a phone", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`${site.origin}${longTitle}`);
  const hidden = await page.locator("h1").evaluate((name) => name.scrollHeight - name.clientHeight);
  expect(hidden).toBeLessThanOrEqual(1);
});

test("pages have no style attributes, and every inline style and script has a nonce", async () => {
  for (const path of [...pages, "/schedule", "/seasons/2024/fall", brokenPictures, "/no/such/page"]) {
    // A page with its own accent color does not come from memory, where hashes replace the nonce.
    const headers = { Cookie: "visitor=enfasis=%23ff0000" };
    const html = await (await fetch(`${site.origin}${path}`, { headers })).text();
    expect(html).not.toMatch(/<[a-z]+[^>]*\sstyle=/i);
    for (const [tag] of html.matchAll(/<(?:script|style)\b[^>]*>/g))
      if (!/\ssrc=/.test(tag)) expect(tag).toMatch(/nonce="[^"]{16,}"/);
  }
});

test("a title page requests nothing from YouTube until the visitor plays the trailer", async () => {
  const page = await browser.newPage();
  const requested: string[] = [];
  await page.route("https://www.youtube-nocookie.com/**", (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<p>trailer</p>" });
  });
  await page.goto(`${site.origin}${brokenPictures}`, { waitUntil: "networkidle" });
  expect(requested).toEqual([]);
  await hydrated(page);
  await page.getByRole("link", { name: /Play the trailer/ }).click();
  await expect.poll(() => requested.length).toBe(1);
});
