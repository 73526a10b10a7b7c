import { gzipSync } from "node:zlib";
import type { Page, Request } from "playwright";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser.ts";
import { startSite } from "#tests/support/site.ts";
import { brokenPictures, importOddTitles, watchForTrouble } from "#tests/support/visit.ts";

/** What a first visit costs: script, movement under the eye, and other people's servers asked for anything. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
importOddTitles(site);

const mostScriptBytes = 120_000;
const pages = ["/", "/browse", "/anime/900000001/engawa"];
const membersPages = [
  "/",
  "/browse",
  "/anime/900000001/engawa",
  "/list",
  "/history",
  "/profile",
  "/profile/edit",
  "/signup/profile",
  "/signup/tastes",
];

/** Compressed bytes of all script that a page asks for, however late. */
async function scriptBytes(page: Page, path: string): Promise<number> {
  const scripts = new Set<string>();
  const note = (request: Request) => {
    if (request.resourceType() === "script" || request.url().endsWith(".js")) scripts.add(request.url());
  };
  page.on("request", note);
  await page.goto(`${site.origin}${path}`, { waitUntil: "networkidle" });
  page.off("request", note);
  const sizes = await Promise.all(
    [...scripts].map(async (url) => gzipSync(await (await fetch(url)).bytes(), { level: 9 }).byteLength),
  );
  expect(scripts.size).toBeGreaterThan(1);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test.each(pages)(
  "%s loads at most 120 kB of script, nothing from elsewhere, and does not move",
  async (path) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const trouble = watchForTrouble(page, site.origin);
    expect(await scriptBytes(page, path)).toBeLessThanOrEqual(mostScriptBytes);

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

test("members load no more than that before the player either", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const account = { username: "Light", email: "light@example.org", password: "Abcdef1!" };
  await context.request.post(`${site.origin}/api/auth/signup`, { data: account });
  const weights = await Promise.all(
    membersPages.map(async (path) => ({ path, bytes: await scriptBytes(await context.newPage(), path) })),
  );
  expect(weights.filter(({ bytes }) => bytes > mostScriptBytes)).toEqual([]);
  await context.close();
});

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
  await page.getByRole("link", { name: /Play the trailer/ }).click();
  await expect.poll(() => asked.length).toBe(1);
  await page.close();
});
