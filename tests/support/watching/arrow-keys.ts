import type { Browser, Page } from "playwright";
import { expect, test } from "vitest";
import { signUp } from "#tests/support/browser/accounts.ts";
import { expectGoodPage } from "#tests/support/browser/good-page.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import type { Site } from "#tests/support/site/running-site.ts";

/** A household uses the site with four arrow keys, Enter, Back and the digits of a PIN, as with a remote control. */

type Household = { browser: Browser; site: Pick<Site, "origin">; screen: keyof typeof viewports };

const password = "Abcdef1!";
const pin = "2580";
const demonstration = "Engawa";

const arrowsTo = (from: DOMRect, to: DOMRect) => {
  const x = (to.left + to.right - from.left - from.right) / 2;
  const y = (to.top + to.bottom - from.top - from.bottom) / 2;
  const horizontal = x > 0 ? "ArrowRight" : "ArrowLeft";
  const vertical = y > 0 ? "ArrowDown" : "ArrowUp";
  const isSameLine = from.top < to.bottom && to.top < from.bottom;
  return isSameLine ? [horizontal, vertical] : [vertical, horizontal];
};

/** Presses arrow keys until the focus is on the element, as a user who sees the focus would. */
export async function moveTo(page: Page, selector: string) {
  const target = page.locator(selector).first();
  await target.waitFor();
  const state = () =>
    target.evaluate((element) => {
      const focused = document.activeElement ?? document.body;
      const [from, to] = [focused.getBoundingClientRect(), element.getBoundingClientRect()];
      const where = [
        scrollX,
        scrollY,
        Math.round(from.x),
        Math.round(from.y),
        focused.outerHTML.slice(0, 80),
      ];
      return { isThere: focused === element, from: from.toJSON(), to: to.toJSON(), where: where.join(" ") };
    });
  const path: string[] = [];
  for (let press = 0; press < 80; press++) {
    const before = await state();
    if (before.isThere) return;
    path.push(before.where);
    const [first = "", second = ""] = arrowsTo(before.from, before.to);
    await page.keyboard.press(first);
    if ((await state()).where === before.where) await page.keyboard.press(second);
  }
  throw new Error(`no way to ${selector}:\n${path.slice(-12).join("\n")}`);
}

/** The class and the name of the focused element. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const { className, ariaLabel, textContent } = document.activeElement as HTMLElement;
    return `${className} ${ariaLabel ?? textContent}`;
  });

export async function choose(page: Page, selector: string) {
  await moveTo(page, selector);
  await page.keyboard.press("Enter");
}

const nameShown = (page: Page, name: string) =>
  page.getByText(`${name}, profile`).waitFor({ state: "attached" });

export async function setUpHousehold(page: Page, origin: string, email: string) {
  await signUp(page.context(), { origin }, { username: "Haruka", email, password });
  await page.goto(origin);
  const added = await page.evaluate(
    async (child) => {
      const answer = await fetch("/profiles/manage", { method: "POST", body: new URLSearchParams(child) });
      return answer.status;
    },
    { name: "Mio", accent: "#16a34a", ceiling: "pg", pin },
  );
  expect(added).toBe(200);
}

/** Opens a page in the mode of arrow keys, and waits until they move the focus. */
export async function openByArrows(page: Page, origin: string, path: string) {
  await page.context().addCookies([{ name: "screen", value: "arrows", url: origin }]);
  await page.goto(origin + path);
  await page.locator("[data-arrows]").waitFor({ state: "attached" });
  await hydrated(page);
}

const viewports = {
  phone: { width: 390, height: 844 },
  television: { width: 1920, height: 1080 },
};

export function testHousehold({ browser, site, screen }: Household) {
  test(`using only arrow keys on a ${screen}: choose a profile, enter the PIN, find, watch, leave`, async () => {
    const page = await browser.newPage({ viewport: viewports[screen] });
    await setUpHousehold(page, site.origin, `arrows-${screen}@example.org`);
    await openByArrows(page, site.origin, "/profiles");
    await expectGoodPage(page, `arrows ${screen} who is watching`);
    await choose(page, '.profiles-choice button:has-text("Mio")');
    await nameShown(page, "Mio");
    await expectGoodPage(page, `arrows ${screen} home of a child`);

    await choose(page, 'header a[href^="/profiles"]');
    await page.getByRole("heading", { name: "Who is watching?" }).waitFor();
    await choose(page, '.profiles-choice button:has-text("Haruka")');
    await page.getByLabel("PIN", { exact: true }).waitFor();
    await moveTo(page, 'input[name="pin"]');
    await page.keyboard.type(pin);
    await page.keyboard.press("Enter");
    await nameShown(page, "Haruka");
    await expectGoodPage(page, `arrows ${screen} home`);

    await moveTo(page, "header .brand");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused(page)).toMatch(/^brand /);
    if (screen === "phone") {
      await choose(page, '.tabs a[href="/search"]');
      await page.waitForURL("**/search");
    }
    await moveTo(page, `${screen === "phone" ? "main" : "header"} input[role="combobox"]`);
    await page.keyboard.type(demonstration);
    await page.keyboard.press("Enter");
    await page.waitForURL("**q=Engawa**");
    await expectGoodPage(page, `arrows ${screen} found`);
    await choose(page, 'main a.card[href*="/anime/900000001"]');
    await page.waitForURL("**/anime/900000001/**");
    await expectGoodPage(page, `arrows ${screen} title`);
    await choose(page, 'main a[href="/watch/900000001/1"]');
    await page.waitForURL("**/watch/900000001/1");
    await hydrated(page);
    const play = page.locator(".player-controls button").first();
    await page.locator("h1:focus").waitFor();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => play.evaluate((button) => button === document.activeElement)).toBe(true);
    // The film can begin by itself at the moment of a press, which then pauses it.
    const pressUntilPlaying = async () => {
      const film = await page.evaluate(() => {
        const { paused, currentTime } = document.querySelector("video") as HTMLVideoElement;
        return { paused, currentTime };
      });
      if (film.paused) await page.keyboard.press("Enter");
      return film.currentTime;
    };
    await expect.poll(pressUntilPlaying).toBeGreaterThan(0.5);
    await expectGoodPage(page, `arrows ${screen} watching`);
    // Pauses the film, so that it does not end meanwhile.
    await page.keyboard.press("Enter");
    await moveTo(page, ".player-seek input");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => play.evaluate((button) => button === document.activeElement)).toBe(true);
    await choose(page, '.player-button[aria-label="Settings"]');
    await page.locator(".player-settings select:focus").waitFor();
    await page.keyboard.press("Backspace");
    await page.locator('.player-button[aria-label="Settings"]:focus').waitFor();
    await page.locator(".player-settings").waitFor({ state: "detached" });
    await page.keyboard.press("Backspace");
    await page.waitForURL("**/anime/900000001/**");
    await page.keyboard.press("Backspace");
    await page.waitForURL("**q=Engawa**");
  });
}
