import { expect, test } from "vitest";
import { expectGoodPage } from "#tests/support/browser/good-page.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { choose, moveTo, setUpHousehold, testHousehold } from "#tests/support/watching/arrow-keys.ts";

/** A household on a phone with arrow keys, and who chooses them where. tests/players has one on a television at each change. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);

testHousehold({ browser, site, screen: "phone" });

test("on a large screen without a mouse a notice offers the arrow keys, until it is answered", async () => {
  const television = { viewport: { width: 1920, height: 1080 }, isMobile: true, hasTouch: true };
  // The page may listen a moment after it is hydrated.
  const pressUntilOffered = ({ page, offer }: Awaited<ReturnType<typeof open>>) =>
    expect
      .poll(async () => {
        await page.keyboard.press("ArrowDown");
        return offer.count();
      })
      .toBe(1);
  // The key that shows the offer also moves the focus to it.
  const offerTakesFocus = ({ offer }: Awaited<ReturnType<typeof open>>) =>
    offer.locator("button:focus", { hasText: "Use arrow keys" }).waitFor();
  const open = async (options: Parameters<typeof browser.newContext>[0]) => {
    const page = await browser.newPage(options);
    await page.goto(`${site.origin}/browse`);
    await hydrated(page);
    return { page, offer: page.getByRole("region", { name: "Arrow keys" }) };
  };
  const desktop = await open({ viewport: { width: 1920, height: 1080 } });
  await desktop.page.keyboard.press("ArrowDown");
  expect(await desktop.offer.count()).toBe(0);
  await desktop.page.close();

  const refused = await open(television);
  await pressUntilOffered(refused);
  await offerTakesFocus(refused);
  expect(await refused.page.locator("[data-arrows]").count()).toBe(0);
  await expectGoodPage(refused.page, "arrows offered", { hasLargeTargets: false });
  await refused.page.keyboard.press("ArrowRight");
  await refused.page.keyboard.press("Enter");
  await refused.offer.waitFor({ state: "detached" });
  await refused.page.reload();
  await hydrated(refused.page);
  await refused.page.keyboard.press("ArrowDown");
  await refused.page.keyboard.press("ArrowDown");
  expect(await refused.offer.count()).toBe(0);
  expect(await refused.page.locator("[data-arrows]").count()).toBe(0);
  await refused.page.close();

  const accepted = await open(television);
  await pressUntilOffered(accepted);
  await offerTakesFocus(accepted);
  await accepted.page.keyboard.press("Enter");
  await accepted.page.locator("[data-arrows]").waitFor({ state: "attached" });
  await accepted.offer.waitFor({ state: "detached" });
  await accepted.page.keyboard.press("ArrowDown");
  await accepted.page.locator("main :focus-visible").waitFor();
});

test("the mode is chosen on /link, and ends in the settings", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${site.origin}/link`);
  await hydrated(page);
  await page.getByLabel("Move with the arrow keys of a remote control").check();
  await page.getByRole("button", { name: "Show a code" }).click();
  await page.locator(".link-code").waitFor();
  await page.locator("[data-arrows]").waitFor({ state: "attached" });
  await moveTo(page, 'main a:has-text("I have confirmed it")');
  await expectGoodPage(page, "arrows code");
  await choose(page, 'main a[href^="/signin"]');
  await page.waitForURL("**/signin**");
  await setUpHousehold(page, site.origin, "arrows-settings@example.org");
  await page.goto(`${site.origin}/settings`);
  await hydrated(page);
  const mode = page.getByLabel("Arrow keys move over the page, on this screen");
  await expect.poll(() => mode.isChecked()).toBe(true);
  await mode.uncheck();
  await page.locator(":root:not([data-arrows])").waitFor({ state: "attached" });
  await page.reload();
  await hydrated(page);
  await expect.poll(() => mode.isChecked()).toBe(false);
});
