import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser.ts";
import { mostScriptBytes, scriptBytes } from "#tests/support/script-bytes.ts";
import { startSite } from "#tests/support/site.ts";
import { brokenPictures, hydrated, importOddTitles, watchForTrouble } from "#tests/support/visit.ts";

/** What a first visit costs: script, movement under the eye, and other people's servers asked for anything. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
importOddTitles(site);

const pages = ["/", "/browse", "/anime/900000001/engawa"];
test.each(pages)(
  "%s loads at most 120 kB of script, nothing from elsewhere, and does not move",
  async (path) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const trouble = watchForTrouble(page, site.origin);
    expect(await scriptBytes(page, `${site.origin}${path}`)).toBeLessThanOrEqual(mostScriptBytes);

    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
          }).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => setTimeout(() => resolve(sum)));
        }),
    );
    expect(shift).toBeLessThan(0.02);
    expect(trouble).toEqual([]);
    await context.close();
  },
);

test("no page carries a style attribute, and every style and script its nonce", async () => {
  for (const path of [...pages, "/schedule", "/seasons/2024/fall", brokenPictures, "/no/such/page"]) {
    const html = await (await fetch(`${site.origin}${path}`)).text();
    expect(html).not.toMatch(/<[a-z]+[^>]*\sstyle=/i);
    for (const [tag] of html.matchAll(/<(?:script|style)\b[^>]*>/g))
      if (!/\ssrc=/.test(tag)) expect(tag).toMatch(/nonce="[^"]{16,}"/);
  }
});

test("a trailer asks YouTube for nothing before it is wanted", async () => {
  const page = await browser.newPage();
  const asked: string[] = [];
  await page.route("https://www.youtube-nocookie.com/**", (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<p>trailer</p>" });
  });
  await page.goto(`${site.origin}${brokenPictures}`, { waitUntil: "networkidle" });
  expect(asked).toEqual([]);
  await hydrated(page);
  await page.getByRole("link", { name: /Play the trailer/ }).click();
  await expect.poll(() => asked.length).toBe(1);
  await page.close();
});
