import { expect, test } from "vitest";
import { overflow } from "#tests/support/browser/accessibility.ts";
import { searchField, suggestions } from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { createVisits, knowsTimeZone } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The suggestions of the search field. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

const visit = createVisits(browser, site);

test("suggestions survive an unreachable site, are cached, and use the chosen title language", async () => {
  const page = await visit("/");
  await knowsTimeZone(page);
  await page.getByLabel("Titles in").selectOption("romaji");
  await page
    .getByRole("link", { name: /Shingeki no Kyojin/ })
    .first()
    .waitFor({ state: "attached" });
  const names = () => page.locator(".suggestion-name").allTextContents();
  await searchField(page).pressSequentially("shingeki");
  // On a slow machine, the list of a part of the text comes first.
  await suggestions(page).filter({ hasText: "All results for “shingeki”" }).waitFor();
  const before = await names();
  expect(before.join()).toContain("Shingeki no Kyojin");
  let asked = 0;
  await page.route("**/search/suggestions*", (route) => {
    asked++;
    return route.fulfill({ status: 429, json: { error: "Too many requests", status: 429, retryAfter: 30 } });
  });
  await searchField(page).pressSequentially(" n");
  await expect.poll(names).toEqual([...before.slice(0, -1), "All results for “shingeki n”"]);
  expect(asked).toBe(1);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await expect.poll(names).toEqual(before);
  expect(asked).toBe(1);
  await page.unroute("**/search/suggestions*");
  await page.getByLabel("Titles in").selectOption("english");
  await page
    .getByRole("link", { name: /Attack on Titan/ })
    .first()
    .waitFor({ state: "attached" });
  await searchField(page).fill("shingeki no");
  await suggestions(page)
    .filter({ hasText: /^Attack on Titan.*Shingeki no Kyojin/ })
    .first()
    .waitFor();
});

test("a suggested studio shows its name above its note, both in the wide column", async () => {
  const page = await visit("/");
  await searchField(page).fill("Sunrise");
  const studio = suggestions(page)
    .filter({ hasText: /studio · \d+ title/ })
    .first();
  await studio.waitFor();
  const [name, note] = await studio
    .locator(".suggestion-name, .suggestion-note")
    .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().left));
  expect(note).toBe(name);
});

test("the arrow keys keep the chosen suggestion in sight", async () => {
  const page = await visit("/", { viewport: { width: 1280, height: 320 } });
  await searchField(page).fill("no");
  await suggestions(page).filter({ hasText: "All results for “no”" }).waitFor();
  // From the field, the arrow leads to the last one.
  await page.keyboard.press("ArrowUp");
  const inSight = () =>
    page.getByRole("listbox", { name: "Suggestions" }).evaluate((list) => {
      const [box, last] = [list, list.querySelector("[aria-selected=true]")].map((one) =>
        one?.getBoundingClientRect(),
      );
      return [list.scrollHeight > list.clientHeight, box && last && last.bottom <= box.bottom];
    });
  await expect.poll(inSight).toEqual([true, true]);
});

test("on a very narrow screen, the suggestions are no wider than the page beside its scroll bar", async () => {
  const page = await visit("/search", { viewport: { width: 320, height: 640 } });
  // The scroll bars of this browser take no room.
  await page.evaluate(() => {
    document.documentElement.style.marginRight = "15px";
  });
  await page.getByRole("main").getByRole("combobox").fill("bebop");
  await suggestions(page).filter({ hasText: "All results" }).waitFor();
  expect(await overflow(page)).toBe(0);
  const [field, list] = await page
    .locator("main :is(.searchbox-field, .suggestions)")
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().right));
  expect(list).toBe(field);
});

test("recent searches are suggested, unless the visitor turned them off", async () => {
  const page = await visit("/");
  await searchField(page).fill("naruto");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/search?q=naruto");
  await page.goto(`${site.origin}/schedule`);
  await hydrated(page);
  await searchField(page).focus();
  await suggestions(page).filter({ hasText: "naruto" }).waitFor();

  const other = await visit("/");
  await knowsTimeZone(other);
  const cookie = { name: "visitor", value: "tz=UTC&trackSearchHistory=false", url: site.origin };
  await other.context().addCookies([cookie]);
  await other.reload();
  await hydrated(other);
  await searchField(other).fill("naruto");
  await other.keyboard.press("Enter");
  await other.waitForURL("**/search?q=naruto");
  expect(await other.evaluate(() => localStorage.getItem("recentSearches"))).toBeNull();
  await expect.poll(() => other.evaluate(() => localStorage.getItem("trackSearchHistory"))).toBe("false");
});
