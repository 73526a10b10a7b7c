import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright";
import { expect } from "vitest";
import { signUp } from "#tests/support/browser/accounts.ts";
import { answerToForm, hydrated } from "#tests/support/browser/pages.ts";
import type { Site } from "#tests/support/site/running-site.ts";

/** A new member uses the watch list, with and without scripts. */

type Visit = { browser: Browser; site: Pick<Site, "origin">; script: boolean; isTouch?: boolean };

/** Signs up a new member, also on a site that other test files share. */
export async function signedIn({ browser, site, script, isTouch = false }: Visit) {
  const context = await browser.newContext({
    javaScriptEnabled: script,
    hasTouch: isTouch,
    isMobile: isTouch,
    viewport: { width: 1280, height: 900 },
    // In the middle of a transition, axe would measure intermediate colors.
    reducedMotion: "reduce",
  });
  const email = `haruka-${randomUUID()}@example.org`;
  await signUp(context, site, { username: "Haruka", email, password: "Abcdef1!" });
  return { context, page: await context.newPage(), email };
}

/** A new member who is watching these titles, on a page of the site. */
export async function openWithList(visit: Visit, path: string, animeIds: readonly number[] = [1]) {
  const signed = await signedIn(visit);
  const { origin } = visit.site;
  for (const animeId of animeIds) {
    const data = { animeId, type: "Watching" };
    expect((await signed.context.request.post(`${origin}/api/user/watchList`, { data })).status()).toBe(200);
  }
  await signed.page.goto(origin + path);
  if (visit.script) await hydrated(signed.page);
  return signed;
}

export const pressed = (page: Page, type: string) =>
  expect.poll(() => page.getByRole("button", { name: type, exact: true }).getAttribute("aria-pressed"));
export const hasFocus = (field: Locator) => field.evaluate((element) => element === document.activeElement);
const progress = (page: Page) => expect.poll(() => page.locator(".list-progress output").textContent());

export async function addCountAndScore(visit: Visit) {
  const { site, script } = visit;
  const { page } = await signedIn(visit);
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  if (script) await hydrated(page);
  await page.getByRole("button", { name: "Watching", exact: true }).click();
  await pressed(page, "Watching").toBe("true");
  await page.getByRole("button", { name: "One episode more" }).click();
  await progress(page).toBe("1 / 26");
  const saved = answerToForm(page, "score=9");
  await page.getByLabel("My score").selectOption("9");
  const panel = page.getByRole("region", { name: "My list" });
  if (!script) await panel.getByRole("button", { name: "Save", exact: true }).click();
  await saved;
  await page.waitForLoadState("load");
  await page.reload();
  await pressed(page, "Watching").toBe("true");
  await progress(page).toBe("1 / 26");
  expect(await page.getByLabel("My score").inputValue()).toBe("9");

  await page.goto(`${site.origin}/browse?year=1998&genre=sci-fi`);
  const card = page.getByRole("link", { name: /^Cowboy Bebop/ });
  expect(await card.textContent()).toContain("Watching");
  await page.goto(`${site.origin}/browse?year=1998&mine=0`);
  expect(await page.getByRole("link", { name: /^Cowboy Bebop/ }).count()).toBe(0);

  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await page.getByRole("button", { name: "Remove from list" }).click();
  await pressed(page, "Watching").toBe("false");
}

type ListedEntry = Record<string, unknown>;

/** Opens the page of a title that is in the member's list. `entryOf` reads that entry from the API. */
export async function onListedTitle(visit: Visit, fields: object) {
  const { site, script } = visit;
  const { context, page } = await signedIn(visit);
  const list = `${site.origin}/api/user/watchList`;
  const added = { animeId: 1, type: "Watching", progress: 3, score: 7.5, ...fields };
  expect((await context.request.post(list, { data: added })).status()).toBe(200);
  const entryOf = async () => {
    const { data } = (await (await context.request.get(list)).json()) as { data: ListedEntry[] };
    const [{ id: _id, updated_at: _updated, ...entry } = {} as ListedEntry] = data;
    return entry;
  };
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  if (script) await hydrated(page);
  return { context, page, entryOf, before: await entryOf() };
}

export async function removeAndUndo(visit: Visit) {
  const dates = { started_on: "2024-02-29", finished_on: "2024-03-01" };
  const { page, entryOf, before } = await onListedTitle(visit, { ...dates, notes: "Hm ✓" });
  await page.getByRole("button", { name: "Remove from list" }).click();
  await pressed(page, "Watching").toBe("false");
  await expect.poll(entryOf).toEqual({});
  await page.getByRole("button", { name: "Undo" }).click();
  await pressed(page, "Watching").toBe("true");
  await expect.poll(entryOf).toEqual(before);
}

/** The home page of a member without a list offers to bring one, and no single title. */
export async function signedInWithList(visit: Visit) {
  const signed = await signedIn(visit);
  const answer = await signed.context.request.post(`${visit.site.origin}/api/user/watchList`, {
    data: { animeId: 1, type: "Completed" },
  });
  expect(answer.status()).toBe(200);
  return signed;
}

export async function addOnHomeAndUndo(visit: Visit) {
  const { site, script } = visit;
  const { page } = await signedInWithList(visit);
  await page.goto(site.origin);
  if (script) await hydrated(page);
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByText(/^Saved .* as To Watch$/).waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await page.getByRole("link", { name: "In my list" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(/^Undid the change of /).waitFor();
  await page.getByRole("button", { name: "Add to list" }).waitFor();
}
