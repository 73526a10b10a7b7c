import { expect, test } from "vitest";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** A member changes settings on a phone: answers are in sight, and the focus stays where the member continues. */

const [browser, site] = [await openBrowser({ hasPictures: false }), sharedSite()];

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
  for (const name of ["Appearance", "Content", "Titles, times and scores", "Playback", "Privacy"]) {
    const section = page.getByRole("region", { name, exact: true });
    const save = section.getByRole("button", { name: "Save", exact: true });
    await save.click();
    const answer = section.getByText(/^Saved/).first();
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

test("beside the section list, the settings end with the last section, and each section is in the list", async () => {
  const { context, page } = await onSettings();
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
  await context.close();
});
