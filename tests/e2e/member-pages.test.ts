import { test } from "vitest";
import { addCountAndScore, pressed } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A member changes the list on title pages and on the list page. tests/journeys covers more. */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);
const withScripts = { browser, site, script: true };

test("a member adds a title, counts an episode and scores it on the title page", () =>
  addCountAndScore(withScripts));

test("a visitor presses Add to list, creates an account and finds the title on the list", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.getByRole("link", { name: "Add to list" }).click();
  await page.getByText("Sign in or make an account to keep a list").waitFor();
  await page.getByRole("link", { name: "Make an account" }).click();
  await page.waitForURL("**/signup**");
  await hydrated(page);
  await page.getByLabel("Name", { exact: true }).fill("Newcomer");
  await page.getByLabel("E-mail address").fill("newcomer@example.org");
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("link", { name: "Skip this step" }).click();
  await page.waitForURL("**/signup/tastes**");
  // The address changes a moment before the page does, and the step before has such a link too.
  await page.getByRole("heading", { name: "What you like", exact: true }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Skip this step" }).click();
  await page.waitForURL("**/anime/1/cowboy-bebop");
  await pressed(page, "To Watch").toBe("true");
});
