import type { Page, Route } from "playwright";
import { expect, test } from "vitest";
import { showsHeading } from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, twoFramesDrawn } from "#tests/support/browser/pages.ts";
import { failureNote } from "#tests/support/browser/player.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Pages that visitors see when the site, or the proxy in front of it, refuses a request. */

const maxPages = 15;
// This file has its own site, because its page limit is soon reached. The limit counts a whole day: on a slow machine,
// a minute could end between two requests of a test.
const [browser, site] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({
    RATE_LIMIT_PAGE_POINTS: String(maxPages),
    RATE_LIMIT_SECONDS: "86400",
    PUBLIC_CACHE: "0",
  }),
]);

async function visitHome(): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(site.origin);
  await hydrated(page);
  return page;
}

const goToSchedule = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Schedule" }).click();
const tryAgain = (page: Page) => page.getByRole("link", { name: "Try again" });

const isAnsweredBusy = (route: Route) =>
  route.fulfill({
    status: 503,
    contentType: "text/html",
    headers: { "Retry-After": "2" },
    body: "<h1>503 Service Temporarily Unavailable</h1>",
  });

test("a link answered with 503 shows the site's own page, whose button retries the requested page", async () => {
  const page = await visitHome();
  await page.route("**/schedule.data*", isAnsweredBusy);
  await goToSchedule(page);
  await showsHeading(page, "The site is busy");
  expect(await page.getByRole("banner").isVisible()).toBe(true);
  await tryAgain(page).click();
  await showsHeading(page, "Schedule");
});

test("a failed play whose report gets 503 leaves the player and its message on the page", async () => {
  const page = await browser.newPage();
  await page.route("**/film/**", (route) => route.abort());
  // A new page also sends its time zone.
  const reported = page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().includes("/watch/"),
  );
  await page.route("**/watch/**", (route) =>
    route.request().method() === "POST" ? isAnsweredBusy(route) : route.continue(),
  );
  await page.goto(`${site.origin}/watch/900000001/1`);
  await failureNote(page).waitFor();
  const answer = await reported;
  expect(answer.status()).toBe(503);
  await answer.finished();
  // If the page showed the answer to a report, it would do so within the next frames.
  await twoFramesDrawn(page);
  expect(await page.locator("h1").textContent()).not.toMatch(/busy|wrong/);
  expect(await failureNote(page).isVisible()).toBe(true);
});

test("over the page limit, links and addresses show a page with a link to try again", async () => {
  const page = await visitHome();
  let status = 200;
  for (let asked = 0; asked < maxPages && status === 200; asked++)
    ({ status } = await fetch(`${site.origin}/schedule`));
  expect(status).toBe(429);
  await goToSchedule(page);
  await showsHeading(page, "Too many requests");
  expect(await page.getByRole("banner").isVisible()).toBe(true);

  await tryAgain(page).click();
  await expect.poll(() => page.getByRole("banner").count()).toBe(0);
  expect(await page.locator("h1").textContent()).toBe("Too many requests");
  expect(await tryAgain(page).evaluate((link: HTMLAnchorElement) => link.href)).toBe(
    `${site.origin}/schedule`,
  );
});
