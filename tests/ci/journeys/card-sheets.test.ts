import type { Page } from "playwright";
import { expect, test } from "vitest";
import { hasFocus, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The sheet at the bookmark of a card, where the card leaves the page by what was chosen, or the sheet's script fails. */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);

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
  await hydrated(page, ".grid-frame > span");
  return { context, page, trouble };
}

test("a card that moves to another list leaves its message with Undo on the page, and the next card has the focus", async () => {
  const { context, page } = await onPage("/list?view=grid&tab=watching", { listed: [1, 20, 21] });
  const names = () => page.locator(".card-name").allTextContents();
  const before = await names();
  expect(before.length).toBe(3);
  await openSheet(page, 1);
  await choose(page, "Completed");
  await page.getByText(`Saved ${before[1]} as Completed`).waitFor();
  await expect.poll(names).toEqual([before[0], before[2]]);
  await expect.poll(() => hasFocus(cards(page).nth(1))).toBe(true);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(names).toEqual(before);
  await context.close();
});

test("the last card of a list leaves its message with Undo on the page, and the page has the focus", async () => {
  const { context, page } = await onPage("/list?view=grid&tab=watching", { listed: [1] });
  await openSheet(page, 0);
  await choose(page, "Remove from list");
  await page.getByText("Removed Cowboy Bebop").waitFor();
  await expect.poll(() => cards(page).count()).toBe(0);
  await expect.poll(() => hasFocus(page.getByRole("main"))).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => cards(page).count()).toBe(1);
  await context.close();
});

test("where the page has no notice, the sheet of a card that has left it keeps the message, Undo and the focus", async () => {
  const { context, page } = await onPage("/browse?year=1998&genre=sci-fi&mine=0");
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
  expect(await hasFocus(cards(page).first())).toBe(true);
  await context.close();
});

test("a sheet whose script does not load says so, the page stays, and the next press opens it", async () => {
  const { context, page, trouble } = await onPage("/browse?year=1998&genre=sci-fi");
  await page.route("**/assets/card-sheet-*.js", (route) => route.abort());
  await openSheet(page, 0);
  await page.getByRole("alert").getByText("The menu could not be loaded").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Browse");
  expect(await cards(page).count()).toBeGreaterThan(1);
  await page.unroute("**/assets/card-sheet-*.js");
  await openSheet(page, 0);
  await page.getByRole("dialog").getByRole("heading").waitFor();
  expect(await page.getByText("The menu could not be loaded").count()).toBe(0);
  expect(trouble).toEqual([]);
  await context.close();
});

test("a page whose other scripts do not load keeps what the server rendered, and its forms", async () => {
  const { context, page } = await onPage("/browse?year=1998&genre=sci-fi");
  await page.route(/\/assets\/(?:members|entry-editor|episode-checklist)-/, (route) => route.abort());
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await hydrated(page);
  await page.getByRole("button", { name: "Watching", exact: true }).click();
  await page.waitForLoadState();
  await expect
    .poll(() => page.getByRole("button", { name: "Watching", exact: true }).getAttribute("aria-pressed"))
    .toBe("true");
  await context.close();
});

test("a change that does not reach the server is refused in words, and the list stays", async () => {
  const { context, page } = await signedIn({ browser, site, script: true });
  await context.request.post(`${site.origin}/api/user/watchList`, { data: { animeId: 1, type: "Watching" } });
  await page.goto(`${site.origin}/list`);
  await hydrated(page, ".list-row-form");
  await context.setOffline(true);
  await page.getByRole("button", { name: "One episode more" }).click();
  await page.getByText("Not saved. Try again.").waitFor();
  await context.setOffline(false);
  await page.getByRole("button", { name: "One episode more" }).click();
  await page.getByText("Saved Cowboy Bebop").waitFor();
  await context.close();
});
