import { randomUUID } from "node:crypto";
import type { Page, Route } from "playwright";
import { expect, test } from "vitest";
import { searchField } from "#tests/support/browser/discovery.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { createVisits, knowsTimeZone } from "#tests/support/browser/visits.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Somebody acts or types again before the answer to the last action has come. */

const [browser, site] = [await openBrowser({ hasPictures: false }), sharedSite()];
const visit = createVisits(browser, site);

/** Holds back the requests of a method until `release` is called. */
async function hold(page: Page, path: string, method: "GET" | "POST") {
  const held: Route[] = [];
  let isHeld = true;
  await page.route(path, async (route) => {
    if (isHeld && route.request().method() === method) held.push(route);
    else await route.continue();
  });
  return {
    isSent: () => expect.poll(() => held.length).toBe(1),
    async release() {
      isHeld = false;
      for (const route of held) await route.continue();
      return held.length;
    },
  };
}

test("a second press does not end a sign-up that is being sent", async () => {
  const page = await visit("/signup");
  await knowsTimeZone(page);
  await page.getByLabel("Name", { exact: true }).fill("Newcomer");
  await page.getByLabel("E-mail address").fill(`newcomer-${randomUUID()}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  const requests = await hold(page, "**/signup.data*", "POST");
  await page.getByRole("button", { name: "Continue" }).click();
  // The button only looks disabled, so that it keeps the focus.
  await page.getByRole("button", { name: "Making your account…" }).click({ force: true });
  expect(await requests.release()).toBe(1);
  await page.waitForURL("**/signup/profile");
  await page.context().close();
});

test("a second choice of the footer waits for the first", async () => {
  const page = await visit("/about/data");
  await knowsTimeZone(page);
  const requests = await hold(page, "**/visitor.data*", "POST");
  await page.getByLabel("Titles in").selectOption("japanese");
  await requests.isSent();
  await page.getByLabel("Theme").selectOption("light");
  await requests.release();
  const chosen = async () => {
    const cookies = await page.context().cookies();
    const visitor = new URLSearchParams(cookies.find(({ name }) => name === "visitor")?.value);
    return [visitor.get("titles"), visitor.get("theme")];
  };
  await expect.poll(chosen).toEqual(["japanese", "light"]);
  await page.context().close();
});

test("a filter removed while the page of another one loads leaves neither in the form", async () => {
  const page = await visit("/browse?genre=action");
  const [movie, action] = [
    page.getByLabel("Movie", { exact: true }),
    page.locator('input[name="action"][value="with"]'),
  ];
  const requests = await hold(page, "**/browse.data*type=movie*", "GET");
  await movie.check();
  await requests.isSent();
  await page.getByRole("link", { name: /^Action.*remove filter/ }).click();
  await page.waitForURL("**/browse");
  await expect.poll(() => movie.isChecked()).toBe(false);
  expect(await action.isChecked()).toBe(false);
  await page.context().close();
});

test("words typed while a search loads stay in the search field", async () => {
  const page = await visit("/search?q=bebop");
  const requests = await hold(page, "**/search.data*q=naruto*", "GET");
  await searchField(page).fill("naruto");
  await page.keyboard.press("Enter");
  await requests.isSent();
  await searchField(page).pressSequentially(" ship");
  await requests.release();
  await page.getByRole("heading", { name: "Search: naruto" }).waitFor();
  expect(await searchField(page).inputValue()).toBe("naruto ship");
  await page.context().close();
});
