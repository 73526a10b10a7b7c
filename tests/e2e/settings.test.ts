import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Where the focus and the Back button go after a form of the settings page. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);

let members = 0;

/** Opens the settings of a new member, who comes from the schedule. */
async function onSettings() {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  members++;
  const answer = await context.request.post(`${site.origin}/api/auth/signup`, {
    data: { username: "Haruka", email: `settings${members}@example.org`, password: "Abcdef1!" },
  });
  expect(answer.status()).toBe(201);
  const page = await context.newPage();
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
