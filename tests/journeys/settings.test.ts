import { expect, test } from "vitest";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { actBeforeScripts, hydrated } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** A member changes settings on a phone: answers are in sight, and the focus stays where the member continues. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

/** Opens the settings of a new member, who comes from the schedule page. */
async function onSettings() {
  const { context, page } = await signedIn({ browser, site, script: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.origin}/schedule`);
  await page.goto(`${site.origin}/settings`);
  await hydrated(page);
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
  return { context, page, focused };
}

test("after a token is created and revoked, the focus stays below the heading and Back leaves the settings", async () => {
  const { page, focused } = await onSettings();
  await page.getByText("Create a token").click();
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
});

test("each setting saves itself and says so beside it, in sight on a phone, and keeps the focus", async () => {
  const { context, page } = await onSettings();
  expect(await page.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
  const main = page.locator("#main");
  const saved = async (label: string, control = main.getByLabel(label)) => {
    const answer = control.locator("xpath=ancestor::*[@class='setting']").getByText("Saved", { exact: true });
    await answer.waitFor();
    const isInSight = async () => {
      const box = await answer.boundingBox();
      return { label, isInSight: box !== null && box.y >= 0 && box.y + box.height <= 844 };
    };
    await expect.poll(isInSight).toEqual({ label, isInSight: true });
    await expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);
  };
  await main.getByLabel("Theme").focus();
  await main.getByLabel("Theme").selectOption("Light");
  await saved("Theme");
  await page.locator('html[data-theme="light"]').waitFor();
  for (const label of ["Parental control", "Play the next episode by itself", "Keep what I search for"]) {
    await page.getByLabel(label).focus();
    await page.keyboard.press("Space");
    await saved(label);
  }
  await page.getByLabel("Second choice").focus();
  await page.getByLabel("Second choice").selectOption("de");
  await saved("Second choice");
  const color = main.getByLabel("Accent color", { exact: true });
  await color.fill("#16A34A");
  await page.keyboard.press("Enter");
  await saved("Accent color", color);
  await page.getByRole("button", { name: "#DB2777" }).click();
  const preferences = async () =>
    (await (await context.request.get(`${site.origin}/api/user/profile`)).json()).data.preferences;
  // The page already says that the color before is saved.
  await expect.poll(preferences).toMatchObject({
    theme: "light",
    parentalControl: false,
    playsNext: false,
    trackSearchHistory: false,
    subtitleLanguages: ["de"],
    enfasiscolor: "#db2777",
  });
  await page.locator(".setting", { hasText: "Accent color" }).getByText("Saved", { exact: true }).waitFor();
  await page.getByLabel("Pick the accent color").fill("#7c3aed");
  await expect.poll(preferences).toMatchObject({ enfasiscolor: "#7c3aed" });
  await page.goBack();
  expect(page.url()).toBe(`${site.origin}/schedule`);
});

test("settings changed before the scripts have loaded are saved once they have", async () => {
  const { context, page } = await onSettings();
  const main = page.locator("#main");
  await actBeforeScripts(page, `${site.origin}/settings`, async () => {
    await main.getByLabel("Theme").selectOption("Light");
    await main.getByLabel("Second choice").selectOption("de");
    await main.getByLabel("Play the next episode by itself").uncheck();
  });
  await page.locator('html[data-theme="light"]').waitFor();
  await expect
    .poll(async () => {
      const profile = await context.request.get(`${site.origin}/api/user/profile`);
      return (await profile.json()).data.preferences;
    })
    .toMatchObject({ theme: "light", playsNext: false, subtitleLanguages: ["de"] });
  await expect.poll(() => main.getByLabel("Theme").inputValue()).toBe("light");
  await expect.poll(() => main.getByLabel("Play the next episode by itself").isChecked()).toBe(false);
});

test("a setting that cannot be saved says so beside it, shows the stored choice, and can be tried again", async () => {
  const { page } = await onSettings();
  await page.route("**/settings/preferences*", (route) => route.abort());
  const setting = (name: string) => page.locator(".setting", { hasText: name });
  const [theme, playsNext, skips] = [
    page.locator("#main").getByLabel("Theme"),
    page.getByLabel("Play the next episode"),
    page.getByLabel("Skip openings"),
  ];
  const before = await theme.inputValue();
  await theme.selectOption("Light");
  await setting("Theme").getByRole("alert").getByText("Not saved.").waitFor();
  await expect.poll(() => theme.inputValue()).toBe(before);
  // `uncheck` would fail if the box is ticked again before it looks.
  await playsNext.click();
  await setting("Play the next episode").getByRole("alert").getByText("Not saved.").waitFor();
  await expect.poll(() => playsNext.isChecked()).toBe(true);
  await page.unrouteAll();
  const isSkipping = !(await skips.isChecked());
  await skips.setChecked(isSkipping);
  await setting("Skip openings").getByText("Saved", { exact: true }).waitFor();
  expect(await skips.isChecked()).toBe(isSkipping);
  await theme.selectOption("Light");
  await setting("Theme").getByText("Saved", { exact: true }).waitFor();
  const color = page.getByLabel("Accent color", { exact: true });
  await color.fill("blue");
  await color.press("Enter");
  expect(await color.evaluate((field: HTMLInputElement) => field.validity.valid)).toBe(false);
  await color.fill("#fff");
  await color.press("Enter");
  await setting("Accent color").getByText("Saved", { exact: true }).waitFor();
});

test("a link to another page moves the focus to its heading", async () => {
  const { page, focused } = await onSettings();
  await page.getByRole("link", { name: "API", exact: true }).first().click();
  await expect.poll(focused).toMatch(/^H1 /);
});

test("beside the section list, the settings end with the last section, and each section is in the list", async () => {
  const { page } = await onSettings();
  await page.setViewportSize({ width: 1440, height: 900 });
  const facts = await page.evaluate(() => {
    const bottom = (of: Element | undefined) => of?.getBoundingClientRect().bottom ?? 0;
    const sections = [...document.querySelectorAll(".settings > section")];
    const texts = (selector: string) =>
      [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
    const main = document.querySelector(".settings") ?? document.body;
    return {
      blank: bottom(main) - Number.parseFloat(getComputedStyle(main).paddingBottom) - bottom(sections.at(-1)),
      gaps: sections.slice(1).map((one, at) => one.getBoundingClientRect().top - bottom(sections[at])),
      named: texts(".settings-contents a"),
      headed: texts(".settings > section h2"),
    };
  });
  expect(facts.blank).toBeLessThan(2);
  expect(new Set(facts.gaps).size).toBe(1);
  expect(facts.named).toEqual(facts.headed);
});
