import { expect, test } from "vitest";
import {
  addCountAndScore,
  addOnHomeAndUndo,
  hasFocus,
  pressed,
  removeAndUndo,
  signedIn,
} from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * What a signed-in member does with the watch list on title pages, home and the list page, and with the settings.
 * tests/ci/journeys has the same without scripts, and more.
 */

const [browser, site] = await Promise.all([openBrowser({ hasPictures: false }), startSite()]);
const withScripts = { browser, site, script: true };

test("a member adds a title, counts an episode and scores it on the title page", () =>
  addCountAndScore(withScripts));

test("Remove, then Undo on a title page restores every field and date of the entry", () =>
  removeAndUndo(withScripts));

test("Add to list on home says what it saved and offers to undo it", () => addOnHomeAndUndo(withScripts));

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

/** Opens the settings of a new member, who comes from the schedule. */
async function onSettings() {
  const { context, page } = await signedIn(withScripts);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.origin}/schedule`);
  await page.goto(`${site.origin}/settings`);
  await hydrated(page);
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
  return { context, page, focused };
}

test("after a token is created and revoked, the focus stays below the heading and Back leaves the settings", async () => {
  const { context, page, focused } = await onSettings();
  await page.getByLabel("Name", { exact: true }).fill("Script");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("This is your new token").waitFor();
  expect(await focused()).not.toMatch(/^H1 /);
  await page.getByText("Revoke: Script").click();
  await page.getByRole("button", { name: "Revoke Script" }).click();
  await page.getByText("The token is revoked").waitFor();
  expect(await focused()).not.toMatch(/^H1 /);
  await page.goBack();
  expect(page.url()).toBe(`${site.origin}/schedule`);
  await context.close();
});

test("Save in any section of the settings says Saved beside its button, in sight on a phone", async () => {
  const { context, page } = await onSettings();
  for (const name of ["Appearance", "Content", "Titles, times and scores", "Playback"]) {
    const section = page.getByRole("region", { name, exact: true });
    const save = section.getByRole("button", { name: "Save", exact: true });
    await save.click();
    const answer = section.getByText(/[Ss]aved/).first();
    await answer.waitFor();
    const [button, text] = [await save.boundingBox(), await answer.boundingBox()];
    expect({ name, isBeside: Math.abs((button?.y ?? 0) - (text?.y ?? 9999)) < 120 }).toEqual({
      name,
      isBeside: true,
    });
    expect({ name, isInSight: text !== null && text.y >= 0 && text.y + text.height <= 844 }).toEqual({
      name,
      isInSight: true,
    });
  }
  await context.close();
});

test("a refused preference moves the focus to its error, and so does a second refusal", async () => {
  const { context, page, focused } = await onSettings();
  const appearance = page.getByRole("region", { name: "Appearance" });
  const color = appearance.getByLabel("Accent color", { exact: true });
  for (const wrong of ["blue", "green"]) {
    await appearance.locator("form").evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
    await color.fill(wrong);
    await appearance.getByRole("button", { name: "Save" }).click();
    await expect.poll(focused).toMatch(/^DIV Write the color as #/);
  }
  await page.goBack();
  expect(page.url()).toBe(`${site.origin}/schedule`);
  await context.close();
});

test("a link to another page moves the focus to its heading", async () => {
  const { context, page, focused } = await onSettings();
  await page.getByRole("link", { name: "API", exact: true }).first().click();
  await expect.poll(focused).toMatch(/^H1 /);
  await context.close();
});
