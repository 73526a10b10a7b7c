import type { Page } from "playwright";
import { afterEach, expect, test } from "vitest";
import { seriousFindings } from "#tests/support/browser/accessibility.ts";
import { hasFocus, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  hydrated,
  importExtremeTitles,
  pagesInEveryState,
  watchForTrouble,
} from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** axe checks every page in each of its states. colors-and-widths.test.ts checks colors and widths. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
importExtremeTitles(site);

let trouble: string[] = [];
afterEach(() => expect(trouble).toEqual([]));

async function open(path: string, options: Parameters<typeof browser.newContext>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return page;
}

test.each(pagesInEveryState)("axe finds nothing serious on %s", async (path) => {
  const page = await open(path);
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.locator("h1").count()).toBe(1);
  expect(await page.title()).toMatch(/Engawa/);
  await page.context().close();
});

test("axe finds nothing serious with the filters or the suggestions open", async () => {
  const page = await open("/browse", { viewport: { width: 390, height: 800 } });
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: /^Show \d+ titles$/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.context().close();

  const wide = await open("/");
  await wide.getByRole("banner").getByRole("combobox", { name: "Search titles" }).pressSequentially("fullm");
  await wide.getByRole("listbox", { name: "Suggestions" }).getByRole("option").first().waitFor();
  await wide.keyboard.press("ArrowDown");
  expect(await seriousFindings(wide)).toEqual([]);
  await wide.context().close();
});

test("every card of a listing has exactly one focusable element", async () => {
  const page = await open("/browse");
  const counts = await page
    .locator(".grid > li")
    .evaluateAll((cards) =>
      cards.map((card) => card.querySelectorAll("a, button, input, [tabindex]").length),
    );
  expect(new Set(counts)).toEqual(new Set([1]));
  await page.context().close();
});

test.each(["dark", "light"])(
  "the menu at the avatar works by keyboard, and axe finds nothing (%s)",
  async (theme) => {
    const { context, page } = await signedIn({ browser, site, script: true });
    await context.request.post(`${site.origin}/visitor`, {
      form: { theme, redirectTo: "/" },
      headers: { Origin: site.origin },
    });
    await page.goto(site.origin);
    await hydrated(page, ".member-menu");
    const opener = page.getByRole("button", { name: "Haruka, menu" });
    const menu = page.getByRole("navigation", { name: "Account" });
    expect(await page.getByRole("link", { name: "Haruka, profile" }).isVisible()).toBe(false);
    await opener.focus();
    await page.keyboard.press("Enter");
    await menu.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await hasFocus(menu.getByRole("link", { name: "My page" }))).toBe(true);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    expect(await hasFocus(opener)).toBe(true);

    // What covers the focused element closes.
    await opener.click();
    await menu.getByRole("button", { name: "Sign out" }).focus();
    await page.keyboard.press("Tab");
    await menu.waitFor({ state: "hidden" });

    await opener.click();
    await menu.getByRole("link", { name: "History" }).click();
    await page.waitForURL("**/history");
    await menu.waitFor({ state: "hidden" });
    await expect.poll(() => hasFocus(page.getByRole("heading", { level: 1 }))).toBe(true);
    await context.close();
  },
);

test("without scripts the menu opens and signs out, and on a phone the avatar leads to My page", async () => {
  const { context, page } = await signedIn({ browser, site, script: false });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(site.origin);
  expect(await page.getByRole("button", { name: "Haruka, menu" }).isVisible()).toBe(false);
  await page.getByRole("link", { name: "Haruka, profile" }).click();
  await page.waitForURL("**/profile");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Haruka, menu" }).click();
  await page.getByRole("navigation", { name: "Account" }).getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
  await context.close();
});
