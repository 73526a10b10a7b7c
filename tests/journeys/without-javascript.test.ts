import type { Page } from "playwright";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { titleWithEveryEpisode } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** A member uses the site in a browser without scripts: each step is a form or a link. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

const context = await browser.newContext({
  javaScriptEnabled: false,
  viewport: { width: 1280, height: 900 },
});
const page = await context.newPage();
const go = (path: string) => page.goto(`${site.origin}${path}`);
const button = (name: string) => page.getByRole("button", { name, exact: true });

async function boxOf(selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not visible`);
  return box;
}

/** Presses a button or a link and waits for the next page. Until then, the page before it would take the next steps. */
async function send(press: () => Promise<void>) {
  const loaded = page.waitForEvent("load");
  await press();
  await loaded;
}

test("a member signs up in three steps, and home recommends by the chosen tastes", async () => {
  await go("/signup");
  await page.getByLabel("Name", { exact: true }).fill("Plain");
  await page.getByLabel("E-mail address").fill("plain@example.org");
  await page.getByLabel("Password", { exact: true }).fill("Abcdef1!");
  await button("Continue").click();
  await page.waitForURL("**/signup/profile");
  await page.getByText("More, if you like").click();
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Plain");
  await page.getByLabel("Name", { exact: true }).fill("Paula");
  await page.getByLabel("Birthday").fill("1990-05-06");
  await button("Continue").click();
  await page.waitForURL("**/signup/tastes");
  await page.locator("label.pick").first().click();
  await page.locator("label.chip").filter({ hasText: "Slice of Life" }).click();
  await page.getByLabel("How often do you watch?").selectOption({ index: 1 });
  await button("Finish").click();
  await page.waitForURL(`${site.origin}/`);
  await page
    .getByText(/^Because you love /)
    .first()
    .waitFor();
  await go("/profile");
  await page.getByRole("heading", { name: "Paula", exact: true }).waitFor();
  await page.getByRole("heading", { name: "Favorites" }).waitFor();
});

test("a title is added on its page, then edited, undone and removed on the list page", async () => {
  await go("/anime/1/cowboy-bebop");
  await send(() => button("Watching").click());
  // The notice cannot be closed here, so it must not cover the fields.
  const [notice, fields] = [await boxOf(".toast"), await boxOf(".entry-fields")];
  expect(notice.y + notice.height).toBeLessThanOrEqual(fields.y);
  await go("/list");
  await send(() => page.getByRole("link", { name: "Edit Cowboy Bebop" }).click());
  const row = page.getByRole("form", { name: "Cowboy Bebop", exact: true });
  await send(() => row.getByRole("button", { name: "One episode more" }).click());
  await seenEpisodes(page).toBe("1");
  await row.getByLabel("My score for Cowboy Bebop").selectOption("8");
  await page.getByLabel("My note").fill("See you");
  // One button saves the fields of both parts.
  await send(() => button("Save").click());
  await page.getByText("Saved Cowboy Bebop").waitFor();
  expect(await row.getByLabel("My score for Cowboy Bebop").inputValue()).toBe("8");
  expect(await page.getByLabel("My note").inputValue()).toBe("See you");
  await row.getByLabel("Episodes of Cowboy Bebop seen").fill("5");
  // Enter presses the first button of a form, which must not be the minus button.
  await send(() => row.getByLabel("Episodes of Cowboy Bebop seen").press("Enter"));
  await page.getByText("Saved Cowboy Bebop").waitFor();
  await seenEpisodes(page).toBe("5");
  expect(await row.getByLabel("My score for Cowboy Bebop").inputValue()).toBe("8");
  await button("Undo").click();
  await seenEpisodes(page).toBe("1");
  await row.getByRole("button", { name: "Remove Cowboy Bebop from the list" }).click();
  await page.getByRole("form", { name: "Cowboy Bebop" }).waitFor({ state: "detached" });
});

const seenEpisodes = (on: Page) =>
  expect.poll(() => on.getByLabel("Episodes of Cowboy Bebop seen").inputValue());

test("a list is previewed, imported and undone on a page of its own", async () => {
  const entries = [
    { mal_id: 1, type: "Watching", progress: 3, score: 9 },
    { mal_id: 5, type: "To Watch" },
    { mal_id: 2_000_000_001, title: "A Title From Elsewhere", type: "Completed" },
  ];
  const buffer = Buffer.from(JSON.stringify({ format: "engawa-list", version: 1, entries }));
  const choose = () =>
    page
      .getByLabel("A list from MyAnimeList")
      .setInputFiles({ name: "list.json", mimeType: "application/json", buffer });
  await go("/list");
  await page.getByText("Import and export").click();
  await choose();
  await button("Show what would change").click();
  await page.getByText("This would add 2 titles").waitFor();
  await choose();
  // The other form with such a button asks for a name.
  await button("Import").first().click();
  await page.getByText("Added 2 titles, changed 0 and left 0 as they are.").waitFor();
  await page.getByText("Not matched: 1").click();
  await page.getByText("A Title From Elsewhere is not in this catalog").waitFor();
  await button("Undo the import").click();
  await page.getByText("The import is undone.").waitFor();
  await page.getByRole("link", { name: "Back to my list" }).click();
  await page.waitForURL(`${site.origin}/list`);
  await page.getByRole("link", { name: "Edit Cowboy Bebop" }).waitFor({ state: "detached" });
});

test("each form of the settings saves its own part and leaves the others unchanged", async () => {
  await go("/settings");
  await page.getByLabel("Accent color", { exact: true }).fill("#16A34A");
  await page.locator("#appearance ~ .stack").getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/settings?notice=appearance-saved#appearance");
  expect((await page.getByLabel("Accent color", { exact: true }).inputValue()).toLowerCase()).toBe("#16a34a");
  await page.getByLabel("Keep what I search for").uncheck();
  await page.getByLabel("Do not remember what I watch").check();
  await send(() => page.locator("#privacy ~ .stack").getByRole("button", { name: "Save" }).click());
  expect(await page.getByLabel("Do not remember what I watch").isChecked()).toBe(true);
  expect(await page.getByLabel("Keep what I search for").isChecked()).toBe(false);
  await page.getByLabel("Show titles in").selectOption("english");
  await send(() => page.locator("#viewing ~ .stack").getByRole("button", { name: "Save" }).click());
  expect(await page.getByLabel("Show titles in").inputValue()).toBe("english");
  expect((await page.getByLabel("Accent color", { exact: true }).inputValue()).toLowerCase()).toBe("#16a34a");
});

test("a token is created and revoked, and deleting the account with a wrong password shows the error and keeps the form open", async () => {
  await go("/settings");
  await page.getByText("Create a token").click();
  await page.getByLabel("Name", { exact: true }).fill("Script");
  await button("Create token").click();
  await page.locator('input[value^="engawa_"]').waitFor();
  await page.getByText("Revoke: Script").click();
  await button("Revoke Script").click();
  await page.waitForURL("**/settings?notice=token-revoked#tokens");
  await page.getByText("Delete my account", { exact: true }).click();
  await page.getByLabel("Your password").fill("Wrong1!x");
  await button("Delete my account for good").click();
  await page.getByText("The current password is wrong").waitFor();
  expect(await page.getByLabel("Your password").isVisible()).toBe(true);
});

test("the title language in the footer and the time zone of the schedule are saved in the account", async () => {
  await go("/schedule");
  await page.getByRole("contentinfo").getByLabel("Titles in").selectOption("japanese");
  await send(() => page.getByRole("contentinfo").getByRole("button", { name: "Apply" }).first().click());
  expect(new URL(page.url()).pathname).toBe("/schedule");
  await page.getByLabel("Time zone").selectOption("Europe/Athens");
  await send(() => page.getByRole("main").getByRole("button", { name: "Apply" }).click());
  await go("/settings");
  expect(await page.getByLabel("Show titles in").inputValue()).toBe("japanese");
  expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Athens");
});

test("nothing covers the browser's own controls of a film without a still", async () => {
  await go(`/watch/${titleWithEveryEpisode}/1`);
  await page.locator(".player-backdrop").waitFor({ state: "attached" });
  const isUncovered = await page.locator("video").evaluate((video) => {
    const { left, bottom, width } = video.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, bottom - 20) === video;
  });
  expect(isUncovered).toBe(true);
});

test("the watch page has a video with the browser's controls, and links to the next and previous episode", async () => {
  await go("/watch/900000001/1");
  const film = page.locator("video");
  expect(await film.getAttribute("controls")).not.toBeNull();
  const sources = await film
    .locator("source")
    .evaluateAll((all) => all.map((one) => [one.getAttribute("src"), one.getAttribute("type")]));
  expect(sources).toContainEqual(["/film/1/film.webm", "video/webm"]);
  expect(await film.locator("track").count()).toBe(2);
  await film.focus();
  await page.keyboard.press("Space");
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
  await page.getByRole("link", { name: /^Next: Episode 2/ }).click();
  await page.waitForURL("**/watch/900000001/2");
  await page.getByRole("link", { name: /^Previous: Episode 1/ }).click();
  await page.waitForURL("**/watch/900000001/1");
});
