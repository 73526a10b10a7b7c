import { expect, test } from "vitest";
import { findingsOfBothThemes } from "#tests/support/browser/accessibility.ts";
import { hasFocus, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The menu at a member's avatar. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

test("the menu at the avatar works by keyboard, and axe finds nothing in both themes", async () => {
  const { context, page } = await signedIn({ browser, site, script: true });
  await context.request.post(`${site.origin}/visitor`, {
    form: { theme: "system", redirectTo: "/" },
    headers: { Origin: site.origin },
  });
  await page.goto(site.origin);
  await hydrated(page);
  const opener = page.getByRole("button", { name: "Haruka, menu" });
  const menu = page.getByRole("navigation", { name: "Account" });
  expect(await page.getByRole("link", { name: "Haruka, profile" }).isVisible()).toBe(false);
  await opener.focus();
  await page.keyboard.press("Enter");
  await menu.waitFor();
  expect(await findingsOfBothThemes(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect.poll(() => hasFocus(menu.getByRole("link", { name: "My page" }))).toBe(true);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(opener)).toBe(true);

  // The menu closes, because it covers the focused element.
  await opener.click();
  await menu.getByRole("button", { name: "Sign out" }).focus();
  await page.keyboard.press("Tab");
  await menu.waitFor({ state: "hidden" });

  await opener.click();
  await menu.getByRole("link", { name: "History" }).click();
  await page.waitForURL("**/history");
  await menu.waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(page.getByRole("heading", { level: 1 }))).toBe(true);
});

test("without scripts the menu opens and signs out, and on a phone the avatar leads to My page", async () => {
  const { page } = await signedIn({ browser, site, script: false });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(site.origin);
  expect(await page.getByRole("button", { name: "Haruka, menu" }).isVisible()).toBe(false);
  await page.getByRole("link", { name: "Haruka, profile" }).click();
  await page.waitForURL("**/profile");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Haruka, menu" }).click();
  await page.getByRole("navigation", { name: "Account" }).getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
});
