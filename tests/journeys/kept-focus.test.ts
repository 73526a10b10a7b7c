import type { Page } from "playwright";
import { expect, test } from "vitest";
import { hasFocus, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { film, hydrated, titleWithBrokenSource, watchPage } from "#tests/support/browser/pages.ts";
import { failureNote } from "#tests/support/browser/player.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Where the focus is after an answer that comes at the same address, for people who use a keyboard. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const newMember = () => signedIn({ browser, site, script: true });

async function open(page: Page, path: string) {
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
}

test("a step of Setup, and the field of an unlocked text, take the focus", async () => {
  const { page, email } = await newMember();
  runTool(site, "user", ["operator", email]);
  await open(page, "/admin/setup");
  for (const step of ["Catalog", "People"]) {
    await page.getByRole("link", { name: step, exact: true }).press("Enter");
    const heading = page.getByRole("heading", { level: 1, name: step });
    await expect.poll(() => hasFocus(heading)).toBe(true);
  }
  expect(await page.getByRole("status").allTextContents()).toContain("Setup, step 4 of 5");

  await open(page, `/admin/title?id=${film}`);
  const names = page.getByLabel("Other names, one on each line", { exact: true });
  await names.fill("A name to unlock");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Unlock: Other names, one on each line" }).press("Enter");
  await page.getByText("Unlocked.").waitFor();
  await expect.poll(() => hasFocus(names)).toBe(true);
});

test("a form for new rows is emptied and keeps the focus, and keeps half an address while a row is removed", async () => {
  const { page, email } = await newMember();
  runTool(site, "user", ["operator", email]);
  await open(page, "/admin/episode?id=270&episode=1");
  const address = page.getByLabel("Address of a WebVTT file");
  const language = page.getByRole("region", { name: "Subtitles" }).getByLabel("Language");
  await address.fill("/captions.vtt");
  await language.fill("fi");
  await language.press("Enter");
  const remove = page.locator("summary", { hasText: "Remove: /captions.vtt" });
  await page.getByText("The subtitles are added.").waitFor();
  await expect.poll(() => address.inputValue()).toBe("");
  expect([await language.inputValue(), await hasFocus(language)]).toEqual(["", true]);
  await address.fill("/half");
  await remove.click();
  await page.getByRole("button", { name: "Yes: remove: /captions.vtt" }).click();
  await page.getByText("The subtitles are removed.").waitFor();
  await remove.waitFor({ state: "detached" });
  expect(await address.inputValue()).toBe("/half");
});

test("the forms of programs, invitations and accounts are emptied and keep the focus, and half a name stays while a link is made", async () => {
  const { page, email } = await newMember();
  runTool(site, "user", ["operator", email]);
  await open(page, "/admin/films/programs");
  const program = page.getByLabel("Name of the program");
  await program.fill("Sonarr");
  await program.press("Enter");
  await page.getByText("It is shown only now").waitFor();
  await expect.poll(() => program.inputValue()).toBe("");
  expect(await hasFocus(program)).toBe(true);

  await open(page, "/admin/invitations");
  const note = page.getByLabel("Note, such as whom it is for");
  await note.fill("Sora");
  await note.press("Enter");
  await page.getByText("which is shown only now").waitFor();
  await expect.poll(() => note.inputValue()).toBe("");
  expect(await hasFocus(note)).toBe(true);

  await open(page, "/admin/users");
  await page.getByText("Create an account", { exact: true }).click();
  const name = page.getByLabel("Name", { exact: true });
  const address = page.getByLabel("E-mail address", { exact: true });
  await name.fill("Minako");
  await address.fill(email);
  await address.press("Enter");
  await page.getByRole("alert").getByText("already in use").waitFor();
  await address.fill("minako@example.org");
  await address.press("Enter");
  await page.getByText("With this link, minako@example.org").waitFor();
  await expect.poll(() => address.inputValue()).toBe("");
  expect([await name.inputValue(), await hasFocus(address)]).toEqual(["", true]);

  await name.fill("Half");
  const link = page.getByLabel("Shown only now");
  const first = await link.inputValue();
  await page.getByRole("button", { name: "Password link: minako@example.org" }).click();
  await expect.poll(() => link.inputValue()).not.toBe(first);
  expect([await name.inputValue(), await name.isVisible()]).toEqual(["Half", true]);

  const role = page.locator('select[name="role"]').first();
  const tick = page.getByLabel("If it is an operator");
  await address.fill("half@example.org");
  await role.selectOption("operator");
  await address.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Password link: minako@example.org" }).click();
  await page.getByText("With this link, minako@example.org").waitFor();
  expect(await role.inputValue()).toBe("operator");
  await tick.check();
  await address.press("Enter");
  await page.getByText("With this link, half@example.org").waitFor();
  await expect.poll(() => address.inputValue()).toBe("");
  expect([await role.inputValue(), await tick.isChecked()]).toEqual(["user", false]);
});

test("the question about another device takes the focus with its warning, and so does its answer", async () => {
  const screen = await browser.newPage();
  await open(screen, "/link");
  await screen.getByRole("button", { name: "Show a code" }).press("Enter");
  const code = `${await screen.locator(".link-code").textContent()}`;
  await expect.poll(() => hasFocus(screen.getByRole("heading", { level: 1 }))).toBe(true);
  const { page } = await newMember();
  await open(page, "/link");
  await page.getByLabel("Code on the screen").fill(code);
  await page.keyboard.press("Enter");
  const question = page.getByRole("group", { name: /asks to be signed in as Haruka/ });
  await expect.poll(() => hasFocus(question)).toBe(true);
  expect(await question.ariaSnapshot()).toContain(
    "Confirm only if this code is on a screen in front of you.",
  );
  await page.getByRole("button", { name: "Refuse" }).press("Enter");
  await page.getByText("was refused.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("was refused.");
});

test("a choice of the footer, a new profile and a wrong PIN keep the focus where one goes on", async () => {
  const { page } = await newMember();
  await open(page, "/profiles/manage");
  const theme = page.getByRole("contentinfo").getByLabel("Theme");
  await theme.focus();
  await theme.selectOption("light");
  await page.locator('html[data-theme="light"]').waitFor();
  await expect.poll(() => theme.inputValue()).toBe("light");
  expect(await hasFocus(theme)).toBe(true);

  await page.getByLabel("Name").fill("Mio");
  await page.getByLabel("Who watches, and what").selectOption("pg");
  await page.getByLabel("For a child: your own PIN").fill("2580");
  await page.getByRole("button", { name: "Add profile" }).press("Enter");
  await page.getByText("The profile is added.").waitFor();
  await expect.poll(() => hasFocus(page.getByLabel("Name"))).toBe(true);
  expect(await page.getByLabel("Name").inputValue()).toBe("");

  await open(page, "/profiles");
  await page.getByRole("button", { name: /Mio$/ }).press("Enter");
  await page.getByText("Mio, profile").waitFor({ state: "attached" });
  await open(page, "/profiles");
  await page.getByRole("button", { name: /Haruka/ }).press("Enter");
  const pin = page.getByLabel("PIN", { exact: true });
  await pin.fill("0000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("The PIN is wrong.").waitFor();
  await hydrated(page);
  await expect.poll(() => hasFocus(pin)).toBe(true);
});

test("the press that reaches the last episode keeps the focus on its button", async () => {
  const { context, page } = await newMember();
  await context.request.post(`${site.origin}/api/user/watchList`, { data: { animeId: 1, type: "Watching" } });
  await open(page, "/anime/1/cowboy-bebop");
  await page.getByLabel("I have seen all episodes up to").fill("25");
  await page.keyboard.press("Enter");
  await page.locator(".list-progress output", { hasText: /^25 / }).waitFor();
  const more = page.getByRole("button", { name: "One episode more" });
  await more.press("Enter");
  await page.getByText("Saved Cowboy Bebop: episode 26").waitFor();
  expect([await more.isDisabled(), await hasFocus(more)]).toEqual([true, true]);

  await open(page, "/list?edit=1");
  await page.getByRole("button", { name: "One episode less" }).press("Enter");
  await page.getByText("Saved Cowboy Bebop: episode 25").waitFor();
  await more.press("Enter");
  await page.getByText("Saved Cowboy Bebop: episode 26").waitFor();
  expect([await more.isDisabled(), await hasFocus(more)]).toEqual([true, true]);
});

test("the button that adds a whole franchise passes the focus on to what takes its place", async () => {
  const { page } = await newMember();
  await open(page, "/anime/1/cowboy-bebop");
  await page.locator("main a[href^='/franchise/']").first().click();
  const add = page.getByRole("button", { name: /^Add .* to my list$/ });
  await add.press("Enter");
  await page.getByText("All of it is on your list.").waitFor();
  await expect
    .poll(() => hasFocus(page.getByRole("main").getByRole("region", { name: "My list" })))
    .toBe(true);
});

test("the offer of Romaji names, a list filter that is removed and the choice of all rows keep the focus where one goes on", async () => {
  const { context, page } = await newMember();
  await open(page, "/");
  await page.getByRole("button", { name: /^Show them in Romaji/ }).press("Enter");
  await expect.poll(() => hasFocus(page.getByRole("link", { name: "Import a list" }))).toBe(true);

  await context.request.post(`${site.origin}/api/user/watchList`, { data: { animeId: 1, type: "Watching" } });
  await open(page, "/list");
  await page.getByText("Filters", { exact: true }).click();
  const genre = page.getByLabel("Genre", { exact: true });
  await genre.focus();
  await genre.selectOption({ index: 1 });
  await page.waitForURL("**genre=*");
  await page.getByText("Filters (1)").waitFor();
  await genre.selectOption("");
  await page.getByText("Filters (1)").waitFor({ state: "detached" });
  expect([await genre.isVisible(), await hasFocus(genre)]).toEqual([true, true]);

  await open(page, "/list?choose=1");
  const all = page.locator(".list-bulk .link");
  await all.press("Enter");
  await expect.poll(() => all.textContent()).toBe("Select none");
  expect([await page.getByLabel("Choose Cowboy Bebop").isChecked(), await hasFocus(all)]).toEqual([
    true,
    true,
  ]);
  await all.press("Enter");
  await expect.poll(() => all.textContent()).toBe("Select all 1");
  expect(await page.getByLabel("Choose Cowboy Bebop").isChecked()).toBe(false);
});

test("a profile that is saved twice says so twice", async () => {
  const { page } = await newMember();
  await open(page, "/profile/edit");
  const save = page.getByRole("button", { name: "Save", exact: true });
  const answer = page.getByRole("status").getByText("Saved.");
  await save.click();
  await answer.waitFor();
  const first = await answer.elementHandle();
  await save.click();
  await expect.poll(() => first?.evaluate((element) => element.isConnected)).toBe(false);
  await answer.waitFor();
});

test("the press that shows the last titles passes the focus on to the links below them", async () => {
  const page = await browser.newPage();
  await open(page, "/browse");
  const last = page.getByRole("link", { name: /^Page \d+$/ }).last();
  const lastPage = Number(`${await last.textContent()}`.replace("Page ", ""));
  await open(page, `/browse?page=${lastPage - 1}`);
  const more = page.getByRole("link", { name: "Show more" });
  await more.press("Enter");
  await more.waitFor({ state: "detached" });
  await expect.poll(() => hasFocus(page.getByRole("link", { name: "Previous page" }))).toBe(true);
});

test("the choice of other episodes of a long title keeps the focus", async () => {
  const page = await browser.newPage();
  await open(page, "/anime/269/bleach");
  const episodes = page.getByLabel("Jump to episodes");
  await episodes.focus();
  await episodes.selectOption("2");
  await page.waitForURL("**?episodes=2");
  await page.getByRole("link", { name: /^Episodes 1–/ }).waitFor();
  expect(await episodes.inputValue()).toBe("2");
  expect(await hasFocus(episodes)).toBe(true);
});

test("the play button takes the focus of buttons over the film that disappear when they are pressed", async () => {
  const page = await browser.newPage();
  const play = page.locator(".player").getByRole("button", { name: /^(Play|Pause)$/ });
  await open(page, watchPage);
  await page.getByRole("button", { name: "Skip intro" }).press("Enter");
  await page.getByRole("button", { name: "Skip intro" }).waitFor({ state: "detached" });
  expect(await hasFocus(play)).toBe(true);
  await open(page, `/watch/${titleWithBrokenSource}/1`);
  await failureNote(page).getByRole("button", { name: "Try again" }).press("Enter");
  await expect.poll(() => hasFocus(play)).toBe(true);
  await failureNote(page).getByRole("button", { name: "Try Close by" }).press("Enter");
  await failureNote(page).waitFor({ state: "detached" });
  expect(await hasFocus(play)).toBe(true);
});
