import type { Page } from "playwright";
import { expect } from "vitest";

/** A visitor finds titles by name and by filters. */

export const searchField = (page: Page) =>
  page.getByRole("banner").getByRole("combobox", { name: "Search titles" });
export const suggestions = (page: Page) =>
  page.getByRole("listbox", { name: "Suggestions" }).first().getByRole("option");
export const showsHeading = (page: Page, text: string) =>
  expect.poll(() => page.locator("h1").textContent()).toBe(text);
export const cardNames = (page: Page) => page.locator(".card-name").allTextContents();

export async function findBySuggestion(page: Page) {
  await searchField(page).pressSequentially("cowboy beb");
  // On a slow machine, the list of a part of the text comes first, in another order.
  await suggestions(page).filter({ hasText: "All results for “cowboy beb”" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/anime/1/cowboy-bebop");
  await showsHeading(page, "Cowboy Bebop");
}

export async function chooseSciFiOf1998(page: Page, script: boolean) {
  const filters = page.getByRole("form", { name: "Filters" });
  await filters.getByText("Sci-Fi", { exact: true }).click({ force: true });
  if (script) await page.waitForURL("**/browse?genre=sci-fi");
  await filters.getByLabel("From year").selectOption("1998");
  if (script) await page.waitForURL("**/browse?genre=sci-fi&from=1998");
  await filters.getByLabel("To year").selectOption("1998");
  if (!script) await page.getByRole("button", { name: "Apply" }).first().click();
  await page.waitForURL("**/browse?genre=sci-fi&year=1998");
  // The URL changes a moment before the page does.
  await expect.poll(() => cardNames(page)).not.toContain("Steins;Gate");
}

/**
 * Filters, opens a title and goes back: filters, titles and scroll position are the same as before. Returns the names
 * found.
 */
export async function filterAndComeBack(page: Page, script: boolean) {
  await chooseSciFiOf1998(page, script);
  expect(await page.getByRole("status").filter({ hasText: "title" }).textContent()).toMatch(/^\d+ titles$/);
  const found = await cardNames(page);
  expect(found).toContain("Cowboy Bebop");
  const link = page.getByRole("link", { name: /^Cowboy Bebop/ });
  await page.evaluate(() => scrollTo(0, 400));
  await link.scrollIntoViewIfNeeded();
  const height = await page.evaluate(() => scrollY);
  expect(height).toBeGreaterThan(50);
  await link.click();
  await page.waitForURL("**/anime/1/cowboy-bebop");
  await page.goBack();
  await page.waitForURL("**/browse?genre=sci-fi&year=1998");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(height);
  expect(await cardNames(page)).toEqual(found);
  expect(await page.locator('input[name="sci-fi"][value="with"]').isChecked()).toBe(true);
  for (const year of ["From year", "To year"]) expect(await page.getByLabel(year).inputValue()).toBe("1998");
  return found;
}
