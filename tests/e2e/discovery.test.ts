import { expect, test } from "vitest";
import { filterAndComeBack } from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { answerToForm, hydrated } from "#tests/support/browser/pages.ts";
import { createVisits } from "#tests/support/browser/visits.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * A visitor finds titles by filters and by the schedule. tests/journeys has filters without scripts, names and the keyboard.
 */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);

const visit = createVisits(browser, site);

test("filters find a title, and the Back button restores filters and scroll position", async () => {
  const page = await visit("/browse");
  await filterAndComeBack(page, true);
});

test("the schedule uses the browser's time zone, and the chosen title language replaces the browser's", async () => {
  const page = await visit("/schedule", { timezoneId: "Europe/Berlin" });
  await page.getByText("in Berlin time").waitFor();
  const nameOfTitle = async () => {
    await page.goto(`${site.origin}/anime/16498`);
    return page.locator("h1").textContent();
  };
  expect(await nameOfTitle()).toBe("Attack on Titan");
  await hydrated(page);
  const saved = answerToForm(page, "titleLanguage=romaji");
  await page.getByLabel("Titles in").selectOption("romaji");
  await saved;
  await expect.poll(nameOfTitle).toBe("Shingeki no Kyojin");
});

test("a half-typed theme stays in its field while another filter changes, and Enter submits it", async () => {
  const page = await visit("/browse");
  await hydrated(page);
  const theme = page.getByLabel("With", { exact: true });
  await theme.fill("Scho");
  await page.getByLabel("Movie", { exact: true }).check();
  await page.waitForURL(/type=movie/);
  expect(page.url()).not.toMatch(/tag=/);
  expect(await theme.inputValue()).toBe("Scho");
  await theme.press("Enter");
  await page.waitForURL(/tag=school/);
  await expect.poll(() => theme.inputValue()).toBe("");
});
