import type { Page } from "playwright";
import { expect, test } from "vitest";
import { searchField, suggestions } from "#tests/support/browser/discovery.ts";
import {
  addOnHomeAndUndo,
  hasFocus,
  openWithList,
  pressed,
  removeAndUndo,
  signedIn,
  signedInWithList,
} from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { answerToForm, hydrated } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The list journeys that tests/journeys/my-list.test.ts and card-sheets.test.ts leave out. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const withScripts = { browser, site, script: true };
const withoutScripts = { browser, site, script: false };

test("Remove, then Undo on a title page restores every field and date of the entry", () =>
  removeAndUndo(withScripts));

test("Add to list on home says what it saved and offers to undo it", () => addOnHomeAndUndo(withScripts));

test("Undo on a title page removes the entry that was just added", async () => {
  const { page } = await signedIn(withScripts);
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await hydrated(page);
  await page.getByRole("button", { name: "Completed", exact: true }).click();
  await page.getByText("Saved Cowboy Bebop as Completed").waitFor();
  const undone = answerToForm(page, "intent=restore");
  await page.getByRole("button", { name: "Undo" }).click();
  await pressed(page, "Completed").toBe("false");
  await undone;
  await page.reload();
  await expect.poll(() => page.getByRole("heading", { name: "Add to list" }).count()).toBe(1);
});

test("home says why an addition to the list was refused", async () => {
  const { page } = await signedInWithList(withScripts);
  // The title was deleted after the page was loaded.
  await page.route("**/*index*", (route) => {
    const sent = route.request().postData() ?? "";
    return route.continue({ postData: sent.replace(/mal_id=\d+/, "mal_id=999999999") });
  });
  await page.goto(site.origin);
  await hydrated(page);
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByText("This catalog has no such title").waitFor();
  await page.getByRole("button", { name: "Add to list" }).waitFor();
});

test("a member's recent searches come from the account, and the browser stores none", async () => {
  const { page } = await signedIn(withScripts);
  await page.goto(`${site.origin}/search?q=naruto`);
  await hydrated(page);
  await page.goto(`${site.origin}/schedule`);
  await hydrated(page);
  await searchField(page).focus();
  await suggestions(page).filter({ hasText: "naruto" }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem("recentSearches"))).toBeNull();
});

test("sign-in replaces the preferences in localStorage by those of the account", async () => {
  const { context: elsewhere, email: account } = await signedIn(withoutScripts);
  const wanted = { enfasiscolor: "#16a34a", parentalControl: false, trackSearchHistory: false };
  const saved = await elsewhere.request.post(`${site.origin}/api/saveUserPreferences`, { data: wanted });
  expect(saved.status()).toBe(200);
  await elsewhere.close();

  const page = await browser.newPage();
  await page.goto(`${site.origin}/signin`);
  await hydrated(page);
  await page.evaluate(() => {
    localStorage.setItem("enfasis", "#ffd400");
    localStorage.setItem("parental_control", "true");
    localStorage.setItem("trackSearchHistory", "true");
  });
  await page.getByLabel("E-mail address").fill(account);
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${site.origin}/`);
  const stored = () =>
    page.evaluate(() =>
      ["enfasis", "parental_control", "trackSearchHistory"].map((key) => localStorage.getItem(key)),
    );
  await expect
    .poll(async () => (await stored()).map((one) => one?.toLowerCase()))
    .toEqual(["#16a34a", "false", "false"]);
});

test("changes of one entry in two tabs and on two devices all succeed, and one that is behind takes no episode back", async () => {
  const { context: desk, page: first } = await signedIn(withScripts);
  const added = { animeId: 1, type: "Watching", progress: 3 };
  await desk.request.post(`${site.origin}/api/user/watchList`, { data: added });
  const phone = await browser.newContext({
    storageState: await desk.storageState(),
    viewport: { width: 390, height: 844 },
  });
  // All three pages load the entry before any of them changes it.
  const [second, third] = [await desk.newPage(), await phone.newPage()];
  const row = (page: Page) => page.getByRole("form", { name: "Cowboy Bebop" });
  for (const page of [first, second, third]) {
    await page.goto(`${site.origin}/list?edit=1`);
    await hydrated(page);
  }
  const saved = (page: Page) => page.getByText("Saved Cowboy Bebop").waitFor();
  const [seen, score] = ["Episodes of Cowboy Bebop seen", "My score for Cowboy Bebop"] as const;
  // Types digit by digit: no single digit may be saved, and the field must stay in place between them.
  await row(first).getByLabel(seen).selectText();
  await row(first).getByLabel(seen).pressSequentially("10");
  await row(first).getByLabel(seen).press("Enter");
  await saved(first);
  await expect.poll(() => hasFocus(row(first).getByLabel(seen))).toBe(true);
  await row(second).getByLabel(score).focus();
  await row(second).getByLabel(score).selectOption("8");
  await saved(second);
  await expect.poll(() => row(second).getByLabel(seen).inputValue()).toBe("10");
  await expect.poll(() => hasFocus(row(second).getByLabel(score))).toBe(true);
  await row(third).getByRole("button", { name: "One episode more" }).click();
  await saved(third);
  for (const page of [first, second, third]) {
    await page.reload();
    await expect.poll(() => row(page).getByLabel(seen).inputValue()).toBe("10");
    await expect.poll(() => row(page).getByLabel(score).inputValue()).toBe("8");
    expect(await page.getByRole("alert").count()).toBe(0);
  }
  await row(first).getByRole("button", { name: "Remove Cowboy Bebop from the list" }).click();
  await first.getByText("Removed Cowboy Bebop").waitFor();
  // The second page still shows the removed entry; changing it there adds it again.
  await row(second).getByLabel("List status of Cowboy Bebop").selectOption("Completed");
  await saved(second);
  await first.reload();
  await expect
    .poll(() => row(first).getByLabel("List status of Cowboy Bebop").inputValue())
    .toBe("Completed");
});

test("an undo pressed twice is sent once, and a failed undo keeps its button", async () => {
  const { page } = await openWithList(withScripts, "/list?edit=1");
  await page.getByRole("button", { name: "Remove Cowboy Bebop from the list" }).click();
  await page.getByText("Removed Cowboy Bebop").waitFor();
  const undo = page.getByRole("button", { name: "Undo" });
  let answer: (how: "abort" | "continue") => void = () => {};
  let sent = 0;
  await page.route("**/list.data**", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent++;
    return new Promise<void>((resolve) => {
      answer = (how) => resolve(route[how]());
    });
  });
  await undo.click();
  await expect.poll(() => sent).toBe(1);
  await undo.click();
  answer("abort");
  await page.getByText("Not saved. Try again.").waitFor();
  await expect.poll(() => hasFocus(undo)).toBe(true);
  expect(sent).toBe(1);
  await undo.dblclick();
  await expect.poll(() => sent).toBe(2);
  answer("continue");
  await page.getByText("Undid the change of Cowboy Bebop").waitFor();
  await page.getByRole("link", { name: "Cowboy Bebop" }).first().waitFor();
  expect(sent).toBe(2);
});

test("a dismissed title leaves the front page by its bookmark, and Undo brings it back", async () => {
  const { page } = await signedInWithList(withScripts);
  await page.goto(`${site.origin}/`);
  // Other rows can disappear with their only card: the hour decides which titles air for the member.
  const row = page.getByRole("region").filter({ has: page.locator('a[href^="/seasons/"]') });
  await hydrated(page);
  const name =
    (await row.locator(".card-bookmark").first().getAttribute("aria-label"))?.replace("My list: ", "") ?? "";
  const bookmark = page.getByRole("link", { name: `My list: ${name}`, exact: true });
  await row.locator(".card-bookmark").first().click();
  await page.getByRole("button", { name: "Not interested" }).click();
  await page
    .getByText(/ is not suggested any more$/)
    .first()
    .waitFor();
  await expect.poll(() => bookmark.count()).toBe(0);
  await expect.poll(() => hasFocus(row.locator(".card").first())).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("The title is shown again").waitFor();
  await expect.poll(() => bookmark.count()).toBeGreaterThan(0);
});
