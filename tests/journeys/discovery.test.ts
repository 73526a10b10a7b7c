import { networkInterfaces } from "node:os";
import type { Page } from "playwright";
import { afterEach, describe, expect, test } from "vitest";
import {
  cardNames,
  chooseSciFiOf1998,
  filterAndComeBack,
  findBySuggestion,
  searchField,
  showsHeading,
  suggestions,
} from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { knowsTimeZone } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The journeys of tests/e2e/discovery.test.ts without scripts as well, and rarer cases. */

// This site can be reached by other machines and indexed by search engines.
const [browser, open] = await Promise.all([
  openBrowser({ hasPictures: false }),
  startSite({ HOST: "0.0.0.0", INDEXING: "1" }),
]);
const site = sharedSite();

let trouble: string[] = [];
afterEach(() => expect(trouble).toEqual([]));

async function visit(path: string, { script = true, origin = site.origin } = {}): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: script,
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  trouble = watchForTrouble(page, origin);
  await page.goto(`${origin}${path}`);
  // Hydration would undo what the test types before it.
  if (script) await hydrated(page);
  return page;
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("%s", (_, script) => {
  test("home has one heading and content, and requests nothing from other hosts", async () => {
    const page = await visit("/", { script });
    expect(await page.locator("h1").count()).toBe(1);
    expect((await page.locator("main").innerText()).length).toBeGreaterThan(200);
    await page.waitForLoadState("networkidle");
    await page.context().close();
  });

  test("typing a part of a title's name finds the title", async () => {
    const page = await visit("/", { script });
    if (script) await findBySuggestion(page);
    else {
      await searchField(page).fill("cowboy beb");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/search?q=cowboy+beb");
      await page
        .getByRole("link", { name: /^Cowboy Bebop/ })
        .first()
        .click();
      await showsHeading(page, "Cowboy Bebop");
    }
    await page.context().close();
  });

  test("filters find a title, and the Back button restores filters and scroll position", async () => {
    const page = await visit("/browse", { script });
    const found = await filterAndComeBack(page, script);
    const visitor = await visit(new URL(page.url()).pathname + new URL(page.url()).search);
    expect(await cardNames(visitor)).toEqual(found);
    await visitor.context().close();
    await page.context().close();
  });

  test("a filter's chip removes it, and an empty result offers filters to remove", async () => {
    const page = await visit("/browse?genre=sci-fi&year=1917", { script });
    expect(await page.getByRole("heading", { name: "No title matches all filters" }).count()).toBe(1);
    await page.getByRole("link", { name: /Without 1917/ }).click();
    await page.waitForURL("**/browse?genre=sci-fi");
    await expect.poll(async () => (await cardNames(page)).length).toBeGreaterThan(10);
    await page.getByRole("link", { name: /Sci-Fi *, remove filter/ }).click();
    await page.waitForURL("**/browse");
    if (script)
      await expect.poll(() => page.locator('input[name="sci-fi"][value=""]').isChecked()).toBe(true);
    await page.context().close();
  });

  test("the schedule shows times in the chosen time zone and links to the titles", async () => {
    const page = await visit("/schedule", { script });
    if (script) await knowsTimeZone(page);
    await page.getByLabel("Time zone").selectOption("America/New_York");
    if (!script) await page.getByRole("button", { name: "Apply" }).first().click();
    await page.getByText("in New York time").waitFor();
    const first = page.locator(".airing").first();
    const name = await first.locator(".airing-name").textContent();
    expect(await first.locator("time").textContent()).toMatch(/^\d\d:\d\d( \w{3} \d\d:\d\d JST)?$/);
    await first.click();
    await page.waitForURL("**/anime/**");
    await showsHeading(page, name ?? "");
    await page.context().close();
  });

  test("listing pages continue, and a page past the end explains that it is empty", async () => {
    const page = await visit("/browse?sort=title", { script });
    const first = await cardNames(page);
    await page.getByRole("link", { name: "Show more" }).click();
    await expect.poll(async () => (await cardNames(page)).length).toBe(first.length * 2);
    expect((await cardNames(page)).slice(0, first.length)).toEqual(first);
    await page.getByRole("link", { name: "Next page" }).click();
    await page.waitForURL("**page=3");
    await page.goto(`${site.origin}/browse?page=9999`);
    expect(await page.getByRole("heading", { name: "This page is past the end of the list" }).count()).toBe(
      1,
    );
    await page.context().close();
  });

  test("a misspelled query finds the title, and the page says so", async () => {
    const page = await visit("/search?q=cowbyo+bebob", { script });
    expect(await page.getByText("Showing results for").count()).toBe(1);
    expect((await cardNames(page))[0]).toMatch(/^Cowboy Bebop/);
    await page.context().close();
  });

  test("the page of a mature title says that parental control hides it, and shows nothing of it", async () => {
    const page = await visit("/anime/800000003", { script });
    await showsHeading(page, "Hidden by parental control");
    expect(await page.locator("main").textContent()).not.toContain("Lamps");
    await page.context().close();
  });
});

test("search and filters work with the keyboard only", async () => {
  const page = await visit("/");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("/");
  await findBySuggestion(page);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await expect.poll(() => page.getByRole("status").filter({ hasText: "Cowboy Bebop" }).count()).toBe(1);

  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  await page.locator('input[name="action"]').first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/browse?genre=action");
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/browse?without=action");
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value))
    .toBe("without");
  await page.context().close();
});

test("Escape closes the suggestions, and a second Escape empties the field", async () => {
  const page = await visit("/");
  await searchField(page).pressSequentially("naru");
  // On a slow machine, the list of a part of the text comes first. A later list would open again after Escape.
  await suggestions(page).filter({ hasText: "All results for “naru”" }).waitFor();
  expect(await searchField(page).getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("Escape");
  expect(await suggestions(page).count()).toBe(0);
  expect(await searchField(page).inputValue()).toBe("naru");
  await page.keyboard.press("Escape");
  expect(await searchField(page).inputValue()).toBe("");
  await page.context().close();
});

test("on a phone, the strip of days marks the chosen day instead of today", async () => {
  const page = await visit("/schedule");
  await knowsTimeZone(page);
  await page.reload();
  await hydrated(page);
  await page.setViewportSize({ width: 390, height: 800 });
  const days = page.getByRole("navigation", { name: "Days" }).getByRole("link");
  const marked = () =>
    days.evaluateAll((all) => all.findIndex((day) => day.getAttribute("aria-current") === "date"));
  await expect.poll(marked).toBeGreaterThanOrEqual(0);
  const today = await marked();
  const other = (today + 3) % 7;
  await days.nth(other).click();
  await expect.poll(marked).toBe(other);
  await page.context().close();
});

const networkAddresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
const lanIp = networkAddresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test.runIf(lanIp !== undefined)(
  "suggestions and filters work at another IP address of this machine, over plain HTTP",
  async () => {
    const origin = `http://${lanIp}:${new URL(open.origin).port}`;
    const page = await visit("/", { origin });
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await findBySuggestion(page);
    await page.goto(`${origin}/browse`);
    await hydrated(page);
    await chooseSciFiOf1998(page, true);
    await page.context().close();
  },
);

test("with INDEXING=1, robots.txt, the sitemap and the pages allow indexing", async () => {
  const robots = await (await fetch(`${open.origin}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${open.origin}/sitemap.xml`);
  expect(robots).not.toMatch(/^Disallow: \/$/m);
  expect(robots).toMatch(/^Disallow: \/v4\/$/m);
  const sitemap = await (await fetch(`${open.origin}/sitemap.xml`)).text();
  expect(sitemap).toContain(`<loc>${open.origin}/anime/1/cowboy-bebop</loc>`);
  expect(sitemap).toContain(`<loc>${open.origin}/seasons/1998/spring</loc>`);
  expect(await (await fetch(open.origin)).text()).not.toContain('content="noindex"');
});
