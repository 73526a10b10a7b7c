import { expect, test } from "vitest";
import { addCountAndScore, hasFocus, pressed, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** What a member does with the list on title pages and the list page. tests/ci/journeys has the same without scripts, and more. */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);
const withScripts = { browser, site, script: true };

test("a member adds a title, counts an episode and scores it on the title page", () =>
  addCountAndScore(withScripts));

test("a visitor presses Add to list, makes an account and finds the title on the list", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.getByRole("link", { name: "Add to list" }).click();
  await page.getByText("Sign in or make an account to keep a list").waitFor();
  await page.getByRole("link", { name: "Make an account" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Newcomer");
  await page.getByLabel("E-mail address").fill("newcomer@example.org");
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("link", { name: "Skip this step" }).click();
  await page.waitForURL("**/signup/tastes**");
  await page.getByRole("main").getByRole("link", { name: "Skip this step" }).click();
  await page.waitForURL("**/anime/1/cowboy-bebop");
  await pressed(page, "To Watch").toBe("true");
  await page.close();
});

test("every change of a row is confirmed, and rows keep their order until the next visit", async () => {
  const { context, page } = await signedIn(withScripts);
  for (const animeId of [1, 20, 21])
    await context.request.post(`${site.origin}/api/user/watchList`, { data: { animeId, type: "Watching" } });
  await page.goto(`${site.origin}/list`);
  await hydrated(page, ".list-row-form");
  const names = () =>
    page
      .getByRole("listitem")
      .getByRole("form")
      .evaluateAll((forms) => forms.map((form) => form.ariaLabel));
  const before = await names();
  expect(before.length).toBe(3);
  for (const name of before.toReversed()) {
    const row = page.getByRole("form", { name: `${name}`, exact: true });
    await row.getByRole("button", { name: "One episode more" }).click();
    await page.getByText(`Saved ${name}`).waitFor();
    expect(await names()).toEqual(before);
  }
  await page.reload();
  expect(await names()).toEqual(before);
  await page.getByRole("button", { name: `Remove ${before[1]} from the list` }).click();
  await page.getByText(`Removed ${before[1]}`).waitFor();
  await expect.poll(() => hasFocus(page.getByRole("link", { name: new RegExp(`^${before[2]}`) }))).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(`Undid the change of ${before[1]}`).waitFor();
  await expect.poll(names).toEqual(before);
  await context.close();
});

test("the bookmark of a card saves list status and score without leaving the page, and works without scripts", async () => {
  const { context, page } = await signedIn(withScripts);
  await page.goto(`${site.origin}/browse?year=1998&genre=sci-fi`);
  const bookmark = page.getByRole("link", { name: "My list: Cowboy Bebop", exact: true });
  // It is loaded after the cards.
  await hydrated(page, ".grid-frame > span");
  await bookmark.focus();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "My list: Cowboy Bebop" });
  const watching = sheet.getByRole("button", { name: "Watching", exact: true });
  await expect.poll(() => hasFocus(sheet.getByRole("heading"))).toBe(true);
  await page.route("**/anime/**", (route) => route.abort());
  await watching.click();
  await sheet.getByText("Not saved. Try again.").waitFor();
  await page.unroute("**/anime/**");
  await watching.click();
  await sheet.getByText("Saved Cowboy Bebop as Watching").waitFor();
  await sheet.getByLabel("My score").selectOption("9");
  await sheet.getByText("Saved Cowboy Bebop: score 9").waitFor();
  await sheet.getByRole("button", { name: "Remove from list" }).click();
  await sheet.getByText("Removed Cowboy Bebop").waitFor();
  await expect.poll(() => hasFocus(sheet.getByRole("heading"))).toBe(true);
  expect(await watching.getAttribute("aria-pressed")).toBe("false");
  await sheet.getByRole("button", { name: "Undo" }).click();
  await sheet.getByText("Undid the change of Cowboy Bebop").waitFor();
  await expect.poll(() => watching.getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
  expect(await hasFocus(bookmark)).toBe(true);
  // The answer of the form comes before the cards are loaded again.
  const card = page.getByRole("link", { name: /^Cowboy Bebop/ });
  await expect.poll(() => card.textContent()).toMatch(/Watching.*my score9/);
  expect(new URL(page.url()).pathname).toBe("/browse");
  const html = await (await context.request.get(`${site.origin}/browse?year=1998&genre=sci-fi`)).text();
  expect(html).toContain('href="/anime/1/cowboy-bebop#my-list"');
  expect(await (await context.request.get(`${site.origin}/anime/1/cowboy-bebop`)).text()).toContain(
    'id="my-list"',
  );
  await context.close();
});

test("a title of no interest leaves the front page by its bookmark, and Undo brings it back", async () => {
  const { context, page } = await signedIn(withScripts);
  await page.goto(`${site.origin}/`);
  await hydrated(page, ".row > span");
  const bookmarks = page.getByRole("link", { name: /^My list: / });
  const name = (await bookmarks.first().getAttribute("aria-label"))?.replace("My list: ", "") ?? "";
  const bookmark = page.getByRole("link", { name: `My list: ${name}`, exact: true });
  await bookmark.first().click();
  await page.getByRole("button", { name: "Not interested" }).click();
  await page.getByText(`${name} is not suggested any more`).waitFor();
  await expect.poll(() => bookmark.count()).toBe(0);
  await expect.poll(() => hasFocus(page.locator(".row:has(> span) .card").first())).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("The title is shown again").waitFor();
  await expect.poll(() => bookmark.count()).toBeGreaterThan(0);
  await context.close();
});
