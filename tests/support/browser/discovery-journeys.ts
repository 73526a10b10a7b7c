import { expect } from "vitest";
import { cardNames, findBySuggestion, searchField, showsHeading } from "#tests/support/browser/discovery.ts";
import { type createVisits, knowsTimeZone } from "#tests/support/browser/visits.ts";

/** A visitor finds titles, with and without scripts. */

type Discovery = {
  visit: ReturnType<typeof createVisits>;
  origin: string;
  script: boolean;
};

/** tests/release runs these journeys with scripts and without. */
export const discoveryJourneys: { name: string; run(discovery: Discovery): Promise<void> }[] = [
  {
    name: "home has one heading and content, and requests nothing from other hosts",
    async run({ visit, script }) {
      const page = await visit("/", { javaScriptEnabled: script });
      expect(await page.locator("h1").count()).toBe(1);
      expect((await page.locator("main").innerText()).length).toBeGreaterThan(200);
      await page.waitForLoadState("networkidle");
    },
  },
  {
    name: "typing a part of a title's name finds the title",
    async run({ visit, script }) {
      const page = await visit("/", { javaScriptEnabled: script });
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
    },
  },
  {
    name: "a filter's chip removes it, and an empty result offers filters to remove",
    async run({ visit, script }) {
      const page = await visit("/browse?genre=sci-fi&year=1917", { javaScriptEnabled: script });
      expect(await page.getByRole("heading", { name: "No title matches all filters" }).count()).toBe(1);
      await page.getByRole("link", { name: /Without 1917/ }).click();
      await page.waitForURL("**/browse?genre=sci-fi");
      await expect.poll(async () => (await cardNames(page)).length).toBeGreaterThan(10);
      await page.getByRole("link", { name: /Sci-Fi *, remove filter/ }).click();
      await page.waitForURL("**/browse");
      if (script)
        await expect.poll(() => page.locator('input[name="sci-fi"][value=""]').isChecked()).toBe(true);
    },
  },
  {
    name: "the schedule shows times in the chosen time zone and links to the titles",
    async run({ visit, script }) {
      const page = await visit("/schedule", { javaScriptEnabled: script });
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
    },
  },
  {
    name: "listing pages continue, and a page past the end explains that it is empty",
    async run({ visit, script, origin }) {
      const page = await visit("/browse?sort=title", { javaScriptEnabled: script });
      const first = await cardNames(page);
      await page.getByRole("link", { name: "Show more" }).click();
      await expect.poll(async () => (await cardNames(page)).length).toBe(first.length * 2);
      expect((await cardNames(page)).slice(0, first.length)).toEqual(first);
      await page.getByRole("link", { name: "Next page" }).click();
      await page.waitForURL("**page=3");
      await page.goto(`${origin}/browse?page=9999`);
      expect(await page.getByRole("heading", { name: "This page is past the end of the list" }).count()).toBe(
        1,
      );
    },
  },
  {
    name: "a misspelled query finds the title, and the page says so",
    async run({ visit, script }) {
      const page = await visit("/search?q=cowbyo+bebob", { javaScriptEnabled: script });
      expect(await page.getByText("Showing results for").count()).toBe(1);
      expect((await cardNames(page))[0]).toMatch(/^Cowboy Bebop/);
    },
  },
  {
    name: "the page of a mature title says that parental control hides it, and shows nothing of it",
    async run({ visit, script }) {
      const page = await visit("/anime/800000003", { javaScriptEnabled: script });
      await showsHeading(page, "Hidden by parental control");
      expect(await page.locator("main").textContent()).not.toContain("Lamps");
    },
  },
];
