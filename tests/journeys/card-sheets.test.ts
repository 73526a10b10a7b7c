import type { Page } from "playwright";
import { expect, test } from "vitest";
import { hasFocus, openWithList, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The sheet behind a card's bookmark, when the choice removes the card from the page or the sheet's script fails to load. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

const cards = (page: Page) => page.locator(".card");
const openSheet = (page: Page, at: number) => page.locator(".card-bookmark").nth(at).click();
const choose = (page: Page, type: string) =>
  page.getByRole("dialog").getByRole("button", { name: type, exact: true }).click();

async function onPage(path: string, { listed = [] as number[] } = {}) {
  const { context, page } = await signedIn({ browser, site, script: true });
  for (const animeId of listed)
    await context.request.post(`${site.origin}/api/user/watchList`, { data: { animeId, type: "Watching" } });
  const trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return { page, trouble };
}

test("a card that moves to another list leaves its message with Undo, and the next card gets the focus", async () => {
  const { page } = await onPage("/list?view=grid&tab=watching", { listed: [1, 20, 21] });
  const names = () => page.locator(".card-name").allTextContents();
  const before = await names();
  expect(before.length).toBe(3);
  await openSheet(page, 1);
  await choose(page, "Completed");
  // For a moment, the sheet and the page can both show the message.
  await page.getByText(`Saved ${before[1]} as Completed`).first().waitFor();
  await expect.poll(names).toEqual([before[0], before[2]]);
  await expect.poll(() => hasFocus(cards(page).nth(1))).toBe(true);
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(names).toEqual(before);
});

test("the last card of a list leaves its message with Undo, and the page gets the focus", async () => {
  const { page } = await onPage("/list?view=grid&tab=watching", { listed: [1] });
  await openSheet(page, 0);
  await choose(page, "Remove from list");
  await page.getByText("Removed Cowboy Bebop").first().waitFor();
  await expect.poll(() => cards(page).count()).toBe(0);
  await expect.poll(() => hasFocus(page.getByRole("main"))).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => cards(page).count()).toBe(1);
});

test("a press beside an open sheet closes it, and opens nothing below its shade", async () => {
  const { page } = await onPage("/browse");
  await openSheet(page, 0);
  await page.getByRole("dialog").waitFor();
  const pressed = await page.evaluateHandle(() => {
    const targets: string[] = [];
    addEventListener("click", ({ target }) => targets.push((target as Element).localName), true);
    return targets;
  });
  const { x, y } = (await cards(page).first().boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.click(x + 40, y + 40);
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(await pressed.jsonValue()).toEqual(["html"]);
});

test("on a page without a notice, the sheet of a removed card keeps the message, Undo and the focus", async () => {
  const { page } = await onPage("/browse?year=1998&genre=sci-fi&mine=0");
  const name = (await page.locator(".card-name").first().textContent()) ?? "";
  const card = page.getByRole("link", { name: `My list: ${name}`, exact: true });
  const sheet = page.getByRole("dialog");
  await openSheet(page, 0);
  await choose(page, "Watching");
  await sheet.getByText(`Saved ${name} as Watching`).waitFor();
  await expect.poll(() => card.count()).toBe(0);
  await expect.poll(() => hasFocus(sheet.getByRole("heading"))).toBe(true);
  await sheet.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => card.count()).toBe(1);
  await choose(page, "Watching");
  await expect.poll(() => card.count()).toBe(0);
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
  await expect.poll(() => hasFocus(cards(page).first())).toBe(true);
});

test("a sheet whose script does not load says so, the page stays, and the next press opens it", async () => {
  const { page, trouble } = await onPage("/browse?year=1998&genre=sci-fi");
  await page.route("**/assets/card-sheet-*.js", (route) => route.abort());
  await openSheet(page, 0);
  await page.getByRole("alert").getByText("The menu could not be loaded").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Browse");
  expect(await cards(page).count()).toBeGreaterThan(1);
  await page.unroute("**/assets/card-sheet-*.js");
  await openSheet(page, 0);
  await page.getByRole("dialog").getByRole("heading").waitFor();
  await expect.poll(() => page.getByText("The menu could not be loaded").count()).toBe(0);
  expect(trouble).toEqual([]);
});

test("a page whose other scripts do not load keeps what the server rendered, and its forms", async () => {
  const { page } = await onPage("/browse?year=1998&genre=sci-fi");
  await page.route(/\/assets\/(?:members|entry-editor|episode-checklist)-/, (route) => route.abort());
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await hydrated(page, "main");
  await page.getByRole("button", { name: "Watching", exact: true }).click();
  await page.waitForLoadState();
  await expect
    .poll(() => page.getByRole("button", { name: "Watching", exact: true }).getAttribute("aria-pressed"))
    .toBe("true");
});

test("a change that does not reach the server is reported in words, and the list stays", async () => {
  const { context, page } = await openWithList({ browser, site, script: true }, "/list?edit=1");
  await context.setOffline(true);
  await page.getByRole("button", { name: "One episode more" }).click();
  await page.getByText("Not saved. Try again.").waitFor();
  await context.setOffline(false);
  await page.route("**/list.data**", async (route) => {
    const headers = { ...route.request().headers(), origin: "https://elsewhere.example" };
    await route.fulfill({ response: await route.fetch({ headers }) });
  });
  await page.getByRole("button", { name: "One episode more" }).click();
  await page.getByText("Not saved. This form did not come from a page of this site").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("button", { name: "One episode more" }).click();
  await page.getByText("Saved Cowboy Bebop").waitFor();
});

test("the bookmark of a card saves list status and score without leaving the page, and works without scripts", async () => {
  const { context, page } = await signedIn({ browser, site, script: true });
  await page.goto(`${site.origin}/browse?year=1998&genre=sci-fi`);
  const bookmark = page.getByRole("link", { name: "My list: Cowboy Bebop", exact: true });
  const card = page.getByRole("link", { name: /^Cowboy Bebop/ });
  await hydrated(page);
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
  const score = sheet.getByLabel("My score");
  await page.route("**/anime/**", (route) => route.abort());
  await score.selectOption("9");
  await sheet.getByText("Not saved. Try again.").waitFor();
  await expect.poll(() => score.inputValue()).toBe("");
  await page.unroute("**/anime/**");
  await score.focus();
  await score.selectOption("9");
  await sheet.getByText("Saved Cowboy Bebop: score 9").waitFor();
  await card.getByText("my score").waitFor({ state: "attached" });
  expect(await hasFocus(score)).toBe(true);
  await sheet.getByRole("button", { name: "Remove from list" }).click();
  await sheet.getByText("Removed Cowboy Bebop").waitFor();
  await expect.poll(() => hasFocus(sheet.getByRole("heading"))).toBe(true);
  await expect.poll(() => watching.getAttribute("aria-pressed")).toBe("false");
  await sheet.getByRole("button", { name: "Undo" }).click();
  await sheet.getByText("Undid the change of Cowboy Bebop").waitFor();
  await expect.poll(() => watching.getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
  await expect.poll(() => hasFocus(bookmark)).toBe(true);
  // The answer to the form arrives before the cards are loaded again.
  await expect.poll(() => card.textContent()).toMatch(/Watching.*my score9/);
  expect(new URL(page.url()).pathname).toBe("/browse");
  const html = await (await context.request.get(`${site.origin}/browse?year=1998&genre=sci-fi`)).text();
  expect(html).toContain('href="/anime/1/cowboy-bebop#my-list"');
  expect(await (await context.request.get(`${site.origin}/anime/1/cowboy-bebop`)).text()).toContain(
    'id="my-list"',
  );
});
