import { randomUUID } from "node:crypto";
import type { Page, Route } from "playwright";
import { expect, test } from "vitest";
import { searchField } from "#tests/support/browser/discovery.ts";
import { hasFocus, openWithList, pressed, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { answerToForm, hydrated, loadedAgain, twoFramesDrawn } from "#tests/support/browser/pages.ts";
import { createVisits, knowsTimeZone } from "#tests/support/browser/visits.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Somebody acts or types again before the answer to the last action has come. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
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
    async release(how: "continue" | "abort" = "continue") {
      isHeld = false;
      for (const route of held) await route[how]();
      return held.length;
    },
  };
}

/** Opens a page as a visitor and makes a choice in its footer, which is not saved until `release` is called. */
async function onPageWithChoice(path: string, label: string, option: string) {
  const page = await visit(path);
  await knowsTimeZone(page);
  const requests = await hold(page, "**/visitor.data*", "POST");
  await page.getByLabel(label).selectOption(option);
  await requests.isSent();
  return { page, requests };
}

/** Opens a page as a member who watches Cowboy Bebop. */
const onPage = async (path: string) => (await openWithList({ browser, site, script: true }, path)).page;

test("a second member who is half typed stays when the first one is made", async () => {
  const { page, email } = await signedIn({ browser, site, script: true });
  runTool(site, "user", ["operator", email]);
  await page.goto(`${site.origin}/admin/users`);
  await hydrated(page);
  await page.getByText("Create an account", { exact: true }).click();
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Sora");
  await page.getByLabel("E-mail address", { exact: true }).fill("sora@example.org");
  const requests = await hold(page, "**/admin/users.data*", "POST");
  await name.press("Enter");
  await requests.isSent();
  await name.fill("Half");
  await requests.release();
  await page.getByText("With this link, sora@example.org").waitFor();
  expect(await name.inputValue()).toBe("Half");
});

test("a second press does not end a sign-up that is being sent", async () => {
  const page = await visit("/signup");
  await knowsTimeZone(page);
  await page.getByLabel("Name", { exact: true }).fill("Newcomer");
  await page.getByLabel("E-mail address").fill(`newcomer-${randomUUID()}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  const requests = await hold(page, "**/signup.data*", "POST");
  await page.getByRole("button", { name: "Continue" }).click();
  await requests.isSent();
  // The button only looks disabled, so that it keeps the focus.
  await page.getByRole("button", { name: "Making your account…" }).click({ force: true });
  expect(await requests.release()).toBe(1);
  await page.waitForURL("**/signup/profile");
});

test("a form is sent although a choice of the footer is still being saved", async () => {
  const { page, requests } = await onPageWithChoice("/signin", "Theme", "light");
  await page.getByLabel("E-mail address").fill(`nobody-${randomUUID()}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  await page.keyboard.press("Enter");
  await page.getByText("Invalid email or password").first().waitFor();
  await requests.release();
});

test("a second choice of the footer waits for the first", async () => {
  const { page, requests } = await onPageWithChoice("/about/data", "Titles in", "japanese");
  await page.getByLabel("Theme").selectOption("light");
  await requests.release();
  const chosen = async () => {
    const cookies = await page.context().cookies();
    const visitor = new URLSearchParams(cookies.find(({ name }) => name === "visitor")?.value);
    return [visitor.get("titles"), visitor.get("theme")];
  };
  await expect.poll(chosen).toEqual(["japanese", "light"]);
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
});

test("words typed while My list is searched stay until its filters are cleared", async () => {
  const page = await onPage("/list");
  const field = page.getByRole("searchbox", { name: "Search my list" });
  const requests = await hold(page, "**/list.data*q=Bebop*", "GET");
  await field.fill("Bebop");
  await page.keyboard.press("Enter");
  await requests.isSent();
  await field.pressSequentially(" movie");
  await requests.release();
  const clear = page.getByRole("link", { name: "Clear filters" });
  await clear.waitFor();
  expect(await field.inputValue()).toBe("Bebop movie");
  await clear.click();
  await expect.poll(() => field.inputValue()).toBe("");

  await field.fill("Bebop");
  await page.keyboard.press("Enter");
  await clear.waitFor();
  await page.getByLabel("Sort by").selectOption({ index: 1 });
  await page.waitForURL(/sort=/);
  await field.pressSequentially(" movie");
  await clear.click();
  await expect.poll(() => field.inputValue()).toBe("");
});

test.each([
  ["/list?edit=1", "**/list.data*", "Save"],
  ["/anime/1/cowboy-bebop", "**/cowboy-bebop.data*", "Save note"],
])("what is typed in the note on %s while it is being saved stays", async (path, data, save) => {
  const page = await onPage(path);
  await page.locator(".list-note summary").evaluateAll((summaries) => {
    for (const summary of summaries) (summary as HTMLElement).click();
  });
  const note = page.getByLabel("My note");
  const requests = await hold(page, data, "POST");
  await note.fill("See you");
  await page.getByRole("button", { name: save, exact: true }).click();
  await requests.isSent();
  await note.press("End");
  await note.pressSequentially(", space");
  const loaded = loadedAgain(page);
  await requests.release();
  await page.getByText("Saved Cowboy Bebop").waitFor();
  await loaded;
  expect(await note.inputValue()).toBe("See you, space");
  expect(await hasFocus(note)).toBe(true);
});

test("a number that is typed while an episode is being ticked stays", async () => {
  const page = await onPage("/anime/1/cowboy-bebop");
  const field = page.getByLabel("I have seen all episodes up to");
  const requests = await hold(page, "**/cowboy-bebop.data*", "POST");
  await page.getByRole("button", { name: "Episode 1 seen" }).click();
  await requests.isSent();
  await field.fill("5");
  await requests.release();
  await page.locator(".list-progress output", { hasText: /^1 / }).waitFor();
  expect(await field.inputValue()).toBe("5");
  await page.keyboard.press("Enter");
  await pressed(page, "Episode 5 seen").toBe("true");
  await expect.poll(() => field.inputValue()).toBe("");
});

test("the next episode opens although the one before is still being marked as seen", async () => {
  const page = await onPage("/watch/1/1");
  const heading = page.locator("h1");
  const first = await heading.textContent();
  const edit = await hold(page, "**/cowboy-bebop.data*", "POST");
  const load = await hold(page, "**/watch/1/2.data*", "GET");
  await page.getByRole("button", { name: "Mark as seen" }).click();
  await edit.isSent();
  await page.locator('.watch-step[rel="next"]').click();
  await load.isSent();
  const answered = answerToForm(page, "tick=1");
  await edit.release();
  await answered;
  await twoFramesDrawn(page);
  await load.release();
  await page.waitForURL("**/watch/1/2");
  await expect.poll(() => heading.textContent()).not.toBe(first);
});

test("the page of another title opens although an edit of the one before fails", async () => {
  const page = await onPage("/anime/1/cowboy-bebop");
  const heading = page.locator("h1");
  const first = await heading.textContent();
  const edit = await hold(page, "**/cowboy-bebop.data*", "POST");
  const load = await hold(page, "**/anime/5/*.data*", "GET");
  await page.getByRole("button", { name: "Favorite", exact: true }).click();
  await edit.isSent();
  await page.locator('.card[href^="/anime/5/"]').first().click();
  await load.isSent();
  await edit.release("abort");
  await page.getByText("Not saved.").waitFor();
  await twoFramesDrawn(page);
  await load.release();
  await page.waitForURL("**/anime/5/*");
  await expect.poll(() => heading.textContent()).not.toBe(first);
});

test.each([
  ["/profile/edit", "Name"],
  ["/admin/title?id=1", "Synopsis"],
])("what is typed on %s stays when the session has ended before it is saved", async (path, label) => {
  const { context, page, email } = await signedIn({ browser, site, script: true });
  runTool(site, "user", ["operator", email]);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  const field = page.getByLabel(label, { exact: true });
  await field.fill("Written for an hour");
  await context.clearCookies();
  await field.press("Tab");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await page.getByText("Not saved. In another tab, sign in or choose your profile.").waitFor();
  expect(await field.inputValue()).toBe("Written for an hour");
});
