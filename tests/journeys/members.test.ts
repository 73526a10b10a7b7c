import type { BrowserContextOptions, Page } from "playwright";
import { expect, test } from "vitest";
import { signIn, signUp } from "#tests/support/browser/accounts.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  film,
  hydrated,
  titleWithBrokenSource,
  watchForTrouble,
  watchPage,
} from "#tests/support/browser/pages.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** Settings, phones and forced colors, for members and operators. The walk opens all of their pages. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const member = JSON.parse(runTool(site, "demo", ["--json"])) as { email: string; password: string };
runTool(site, "user", ["operator", member.email]);

const memberContext = await browser.newContext();
await signIn(memberContext, site, member);
const storageState = await memberContext.storageState();

async function signedIn(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...options,
    storageState,
  });
  return context.newPage();
}

async function open(page: Page, path: string) {
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
}

test("after an invitation is revoked, the focus is on its row", async () => {
  const page = await signedIn();
  await open(page, "/admin/invitations");
  await page.getByLabel("Note, such as whom it is for").fill("Sora");
  await page.getByRole("button", { name: "Make an invitation" }).click();
  await page.getByRole("button", { name: "Revoke: Sora" }).focus();
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: /Sora.*revoked/ });
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a form that has added a video or subtitles is empty", async () => {
  const page = await signedIn();
  await open(page, `/admin/episode?id=${titleWithBrokenSource}&episode=20`);
  for (const [kind, label, address] of [
    ["video", "Address", "/added.webm"],
    ["subtitles", "Address of a WebVTT file", "/added.vtt"],
  ] as const) {
    const form = page.locator("form", { has: page.getByRole("button", { name: `Add ${kind}` }) });
    const field = form.getByLabel(label, { exact: true });
    await field.fill(address);
    await form.locator("[name=language]").fill("en");
    await form.getByRole("button").click();
    const remove = page.locator("summary", { hasText: `Remove: ${address}` });
    await remove.click();
    expect(await field.inputValue()).toBe("");
    await page.getByRole("button", { name: `Yes: remove: ${address}` }).click();
    await remove.waitFor({ state: "detached" });
  }
});

test("what an operator opens on one title is closed on the next one", async () => {
  const page = await signedIn();
  await open(page, "/anime/1/cowboy-bebop");
  const hide = page.locator("details.title-hide");
  await hide.locator("summary").click();
  expect(await hide.getAttribute("open")).toBe("");
  await page.getByRole("region", { name: "Similar" }).locator("a.card").first().click();
  await page.waitForURL((url) => !url.pathname.startsWith("/anime/1/"));
  await page
    .getByRole("heading", { level: 1, name: "Cowboy Bebop", exact: true })
    .waitFor({ state: "detached" });
  expect(await hide.getAttribute("open")).toBeNull();
});

test("a form of the settings shows its answer beside it and keeps what is typed in other forms", async () => {
  const page = await signedIn();
  await open(page, "/settings");
  await page.getByText("Change password", { exact: true }).first().click();
  await page.getByLabel("Current password", { exact: true }).fill("half typed");
  await page.getByText("Create a token").click();
  await page.getByLabel("Name", { exact: true }).fill("Script");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.locator("#tokens ~ .stack").locator('input[value^="engawa_"]').waitFor();
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
  await page.getByText("Revoke: Script").click();
  await page.getByRole("button", { name: "Revoke Script" }).click();
  await page.locator("#tokens ~ .stack").getByText("The token is revoked.").waitFor();
  expect(await page.getByLabel("Current password", { exact: true }).inputValue()).toBe("half typed");
});

test("a member who opens an operator's page reads that only operators may, and stays signed in", async () => {
  const context = await browser.newContext();
  const account = { username: "Plain", email: "plain-member@example.org", password: "Abcdef1!" };
  await signUp(context, site, account);
  const page = await context.newPage();
  const trouble = watchForTrouble(page, site.origin);
  await open(page, "/admin");
  await page.getByRole("heading", { name: "For operators only" }).waitFor();
  await page.getByRole("button", { name: "Plain, menu" }).waitFor();
  expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
  expect(trouble).toEqual([]);
});

const phone = { hasTouch: true, isMobile: true };

test("a phone shows the controls of an edited entry within its width, each at least 44 px high", async () => {
  for (const width of [360, 390]) {
    const page = await signedIn({ ...phone, viewport: { width, height: 800 } });
    await open(page, "/list");
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Edit / })
      .first()
      .click();
    const controls = page
      .locator(".list-row-form")
      .first()
      .locator("select, input:not([type=hidden]), .list-row-progress button");
    await expect.poll(() => controls.count()).toBe(5);
    const parts = await controls.evaluateAll((elements) =>
      elements.map((element) => element.getBoundingClientRect().toJSON()),
    );
    for (const { right } of parts) expect(right).toBeLessThanOrEqual(width);
    for (const { height } of parts) expect(height).toBeGreaterThanOrEqual(44);
    await page.context().close();
  }
});

test("a phone in landscape shows the Watch link and the full-screen button without scrolling", async () => {
  const page = await signedIn({ ...phone, viewport: { width: 844, height: 390 } });
  for (const [path, name] of [
    ["/", /^(Watch|Continue)/],
    [watchPage, "Full screen"],
  ] as const) {
    await open(page, path);
    const role = path === "/" ? "link" : "button";
    const part = page.locator("main").getByRole(role, { name, exact: true }).first();
    const isInSight = async () => {
      const box = await part.boundingBox();
      return { path, isInSight: box !== null && box.y + box.height <= 390 };
    };
    await expect.poll(isInSight).toEqual({ path, isInSight: true });
  }
});

test("at 200 % zoom the whole player fits between the bars, with the length of the film", async () => {
  const page = await signedIn({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });
  // An episode between two others has the most buttons.
  await open(page, `/watch/${film}/2`);
  await page.locator(".player").scrollIntoViewIfNeeded();
  const state = () =>
    page.evaluate(() => {
      const boxOf = (part: string) => (document.querySelector(part) as Element).getBoundingClientRect();
      const [player, clock] = [boxOf(".player"), document.querySelector(".player-clock") as Element];
      return {
        isWhole: player.top >= boxOf(".bar").bottom && player.bottom <= boxOf(".tabs").top,
        hasLength: clock.scrollHeight <= clock.clientHeight && boxOf(".player-clock").width > 0,
        isInside: boxOf(".player-buttons").right <= player.right,
      };
    });
  await expect.poll(state).toEqual({ isWhole: true, hasLength: true, isInside: true });
});

test("with text of 200 %, names in the list of episodes have room for several words in a line", async () => {
  const page = await signedIn({ viewport: { width: 1440, height: 900 } });
  await open(page, watchPage);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  const width = () =>
    page
      .locator(".watch-side .episode-text")
      .first()
      .evaluate((text) => text.getBoundingClientRect().width / 32);
  // In units of the text's size. At its usual size it is 9.
  await expect.poll(width).toBeGreaterThan(8);
});

test("with text of 200 % on a phone, the name of a title has the width of the page", async () => {
  const page = await signedIn({ ...phone, viewport: { width: 360, height: 800 } });
  await open(page, "/anime/1/cowboy-bebop");
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  const boxOf = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON());
  await expect.poll(async () => (await boxOf(".hero-title")).width).toBeGreaterThan(300);
  // Below it, not over it.
  expect((await boxOf(".title-genres")).top).toBeGreaterThanOrEqual((await boxOf(".hero-content")).bottom);
});

test("on a phone, an operator reaches the buttons that change an account without scrolling sideways", async () => {
  runTool(site, "user", ["create", "zz-somebody@example.org", "--name", "Somebody"]);
  const page = await signedIn({ ...phone, viewport: { width: 360, height: 800 } });
  await open(page, "/admin/users?after=z");
  const row = page
    .getByRole("group", { name: "Users" })
    .locator("tr", { hasText: "zz-somebody@example.org" });
  const right = await row
    .locator("button, summary")
    .evaluateAll((controls) => Math.max(...controls.map((control) => control.getBoundingClientRect().right)));
  expect(right).toBeGreaterThan(0);
  expect(right).toBeLessThanOrEqual(360);
});

test("in forced colors, buttons keep their borders and the pressed one looks different", async () => {
  const page = await signedIn({ forcedColors: "active" });
  await open(page, "/anime/1/cowboy-bebop");
  const styles = await page.locator(".list-types button").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(button);
      return { isPressed: button.ariaPressed === "true", backgroundColor, borderTopWidth };
    }),
  );
  expect(styles.filter(({ borderTopWidth }) => borderTopWidth === "0px")).toEqual([]);
  const backgrounds = (isPressed: boolean) =>
    new Set(styles.filter((style) => style.isPressed === isPressed).map((style) => style.backgroundColor));
  expect(backgrounds(true).size).toBe(1);
  expect([...backgrounds(false)]).not.toContain([...backgrounds(true)][0]);
});

test("in forced colors, only ticked episodes have a check, and the others have a border", async () => {
  const page = await signedIn({ forcedColors: "active" });
  await page.request.post(`${site.origin}/api/user/watchList`, {
    data: { animeId: film, type: "Watching", progress: 1 },
  });
  await open(page, `/anime/${film}`);
  const ticks = await page.locator(".episode-tick").evaluateAll((buttons) =>
    buttons.map((button) => ({
      isTicked: button.ariaPressed === "true",
      hasCheck: getComputedStyle(button.querySelector("svg") as Element).visibility === "visible",
      border: getComputedStyle(button).borderTopWidth,
    })),
  );
  expect(ticks.length).toBeGreaterThan(1);
  expect(ticks[0]).toEqual({ isTicked: true, hasCheck: true, border: "1px" });
  expect(ticks.at(-1)).toEqual({ isTicked: false, hasCheck: false, border: "1px" });
});

test("after several saves of the profile, Back leads to the page before", async () => {
  const page = await signedIn();
  await open(page, "/profile");
  await open(page, "/profile/edit");
  for (const studio of ["Bones", "Madhouse"]) {
    await page.locator("[name=add_studios]").fill(studio);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator(`[name="studio:${studio}"][type=checkbox]`).waitFor({ state: "attached" });
  }
  await page.goBack();
  await page.waitForURL(`${site.origin}/profile`);
});
