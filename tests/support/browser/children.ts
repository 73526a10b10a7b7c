import type { Browser, Page } from "playwright";
import { expect } from "vitest";
import { signUp } from "#tests/support/browser/accounts.ts";
import { expectGoodPage } from "#tests/support/browser/good-page.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import type { Site } from "#tests/support/site/running-site.ts";

const password = "Abcdef1!";
const pin = "2580";

/** The swatches of the settings are smaller; they have a field beside them. */
const expectGood = (page: Page, state: string) =>
  expectGoodPage(page, state, {
    hasLargeTargets: state.startsWith("phone") && !state.endsWith("settings"),
  });

/** Navigates like a remote control: no pointer, only keys. */
async function chooseByKeys(page: Page, name: string) {
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  // The page takes keys a moment after React controls it.
  const pressUntilFocused = async () => {
    if (!(await focused()).endsWith(name)) await page.keyboard.press("ArrowRight");
    return focused();
  };
  await expect.poll(pressUntilFocused).toMatch(new RegExp(`${name}$`));
  await page.keyboard.press("Enter");
}

const nameShown = (page: Page, name: string) =>
  page.getByText(`${name}, profile`).waitFor({ state: "attached" });

/** The screens on which a household tries this. */
const screens = { phone: { width: 390, height: 844 }, television: { width: 1280, height: 720 } };
type Household = { browser: Browser; site: Pick<Site, "origin">; screen: keyof typeof screens };

/** A household sets up a child's profile, the child watches, and a grown-up comes back with the PIN. */
export async function childAndGrownUp({ browser, site, screen }: Household) {
  const isPhone = screen === "phone";
  const page = await browser.newPage({
    viewport: screens[screen],
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: "reduce",
  });
  const email = `${screen}@example.org`;
  await signUp(page.context(), site, { username: "Haruka", email, password });

  await page.goto(`${site.origin}/profiles/manage`);
  await expectGood(page, `${screen} household`);
  await page.getByLabel("Name").fill("Mio");
  await page.getByLabel("Who watches, and what").selectOption("pg");
  await page.getByRole("button", { name: "Add profile" }).click();
  await page.getByText("needs 4 to 8 digits").waitFor();
  await expectGood(page, `${screen} household without a PIN`);
  await page.getByLabel("For a child: your own PIN").fill(pin);
  await page.getByRole("button", { name: "Add profile" }).click();
  await page.getByText("The profile is added.").waitFor();

  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  const choice = page.locator(".title-own").getByText("For your children");
  const isAbove = async () => {
    const [at, synopsis] = [await choice.boundingBox(), await page.locator(".synopsis").boundingBox()];
    return at !== null && synopsis !== null && at.y < synopsis.y + synopsis.height;
  };
  await expect.poll(isAbove).toBe(true);
  await choice.click();
  await expectGood(page, `${screen} title`);

  await page.goto(`${site.origin}/profiles`);
  await expectGood(page, `${screen} who is watching`);
  await chooseByKeys(page, "Mio");
  await nameShown(page, "Mio");
  await expectGood(page, `${screen} home of a child`);
  expect(await page.getByRole("main").getByText("Cowboy Bebop").count()).toBe(0);
  for (const path of ["/profile", "/settings", "/list", "/history", "/browse"]) {
    await page.goto(`${site.origin}${path}`);
    await expectGood(page, `${screen} child${path.replace("/", " ")}`);
  }

  await page.goto(`${site.origin}/profiles?redirectTo=/list`);
  await hydrated(page);
  await chooseByKeys(page, "Haruka");
  await page.getByLabel("PIN", { exact: true }).waitFor();
  await expectGood(page, `${screen} PIN`);
  await page.keyboard.type("0000");
  await page.keyboard.press("Enter");
  await page.getByText("The PIN is wrong.").waitFor();
  await expectGood(page, `${screen} wrong PIN`);
  await page.keyboard.type(pin);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/list");
  await nameShown(page, "Haruka");
  await page.goto(`${site.origin}/profiles/pin`);
  await expectGood(page, `${screen} own PIN`);
}
