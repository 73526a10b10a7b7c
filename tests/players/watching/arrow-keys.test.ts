import type { Page } from "playwright";
import { expect, test } from "vitest";
import { expectGoodPage } from "#tests/support/browser/good-page.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A household uses the site with four arrow keys, Enter, Back and the digits of a PIN, as with a remote control. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
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
async function moveTo(page: Page, selector: string) {
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

async function choose(page: Page, selector: string) {
  await moveTo(page, selector);
  await page.keyboard.press("Enter");
}

const nameShown = (page: Page, name: string) =>
  page.getByText(`${name}, profile`).waitFor({ state: "attached" });

async function setUpHousehold(page: Page, email: string) {
  await page.goto(site.origin);
  const statuses = await page.evaluate(
    async ([signUp, child]) => {
      const headers = { "Content-Type": "application/json" };
      const signedUp = await fetch("/api/auth/signup", { method: "POST", headers, body: signUp });
      const body = new URLSearchParams(JSON.parse(child) as Record<string, string>);
      const added = await fetch("/profiles/manage", { method: "POST", body });
      return [signedUp.status, added.status];
    },
    [
      JSON.stringify({ username: "Haruka", email, password }),
      JSON.stringify({ name: "Mio", accent: "#16a34a", ceiling: "pg", pin }),
    ] as const,
  );
  expect(statuses).toEqual([201, 200]);
}

test.each([
  ["phone", 390, 844],
  ["television", 1920, 1080],
] as const)(
  "using only arrow keys on a %s: choose a profile, enter the PIN, find, watch, leave",
  async (screen, width, height) => {
    const context = await browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    await setUpHousehold(page, `arrows-${screen}@example.org`);
    await context.addCookies([{ name: "screen", value: "arrows", url: site.origin }]);

    await page.goto(`${site.origin}/profiles`);
    await page.locator("[data-arrows]").waitFor({ state: "attached" });
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
    if (screen === "phone") {
      // Above the top of the page comes its end, with the bar at the bottom.
      await page.keyboard.press("ArrowUp");
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
    await page.keyboard.press("Backspace");
    await page.waitForURL("**/anime/900000001/**");
    await page.keyboard.press("Backspace");
    await page.waitForURL("**q=Engawa**");
    await context.close();
  },
);

const focused = (page: Page) =>
  page.evaluate(() => {
    const { className, ariaLabel, textContent } = document.activeElement as HTMLElement;
    return `${className} ${ariaLabel ?? textContent}`;
  });

test("left and right go from card to card, and Down goes to the buttons of a card", async () => {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const page = await context.newPage();
  await setUpHousehold(page, "arrows-cards@example.org");
  await context.addCookies([{ name: "screen", value: "arrows", url: site.origin }]);
  await page.goto(`${site.origin}/seasons/2024/fall`);
  await page.locator("[data-arrows]").waitFor({ state: "attached" });
  const year = page.getByLabel("Year");
  await moveTo(page, 'select[name="year"]');
  await page.keyboard.press("ArrowDown");
  expect(await year.inputValue()).toBe("2024");
  await moveTo(page, ".grid .card");
  await page.keyboard.press("ArrowRight");
  const second = await page.locator(".grid .card").nth(1).textContent();
  await expect.poll(() => focused(page)).toBe(`card ${second}`);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toMatch(/^card-bookmark My list: /);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toMatch(/^card /);
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => focused(page)).toBe(`card ${second}`);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toMatch(/^card-bookmark My list: /);
  const bookmark = await focused(page);
  await page.keyboard.press("Enter");
  await page.locator(".card-sheet :focus").waitFor();
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.locator(".card-sheet :focus").count()).toBe(1);
  }
  await page.keyboard.press("Backspace");
  await page.locator(".card-sheet").waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe(bookmark);
  await context.close();
});

test("the focus goes to the nearest element when the focused one disappears", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await context.addCookies([{ name: "screen", value: "arrows", url: site.origin }]);
  await page.goto(`${site.origin}/seasons/2024/fall`);
  await page.locator("[data-arrows]").waitFor({ state: "attached" });
  await moveTo(page, ".grid li:nth-child(2) .card");
  const before = await focused(page);
  await page.evaluate(() => document.activeElement?.remove());
  await page.locator(".card:focus").waitFor();
  await expect.poll(() => focused(page)).not.toBe(before);
  await context.close();
});

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
  const pressUntilFocused = ({ page }: Awaited<ReturnType<typeof open>>) => {
    const button = page.locator("button:focus", { hasText: "Use arrow keys" });
    return expect
      .poll(async () => {
        if ((await button.count()) === 0) await page.keyboard.press("ArrowDown");
        return button.count();
      })
      .toBe(1);
  };
  const open = async (options: Parameters<typeof browser.newContext>[0]) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${site.origin}/browse`);
    await hydrated(page);
    return { context, page, offer: page.getByRole("region", { name: "Arrow keys" }) };
  };
  const desktop = await open({ viewport: { width: 1920, height: 1080 } });
  await desktop.page.keyboard.press("ArrowDown");
  expect(await desktop.offer.count()).toBe(0);
  await desktop.context.close();

  const refused = await open(television);
  await pressUntilOffered(refused);
  expect(await refused.page.locator("[data-arrows]").count()).toBe(0);
  await expectGoodPage(refused.page, "arrows offered", { hasLargeTargets: false });
  await pressUntilFocused(refused);
  await refused.page.keyboard.press("ArrowRight");
  await refused.page.keyboard.press("Enter");
  await refused.offer.waitFor({ state: "detached" });
  await refused.page.reload();
  await hydrated(refused.page);
  await refused.page.keyboard.press("ArrowDown");
  await refused.page.keyboard.press("ArrowDown");
  expect(await refused.offer.count()).toBe(0);
  expect(await refused.page.locator("[data-arrows]").count()).toBe(0);
  await refused.context.close();

  const accepted = await open(television);
  await pressUntilOffered(accepted);
  await pressUntilFocused(accepted);
  await accepted.page.keyboard.press("Enter");
  await accepted.page.locator("[data-arrows]").waitFor({ state: "attached" });
  await accepted.offer.waitFor({ state: "detached" });
  await accepted.page.keyboard.press("ArrowDown");
  await accepted.page.locator("main :focus-visible").waitFor();
  await accepted.context.close();
});

test("arrow keys scroll and seek as usual until the mode is chosen, on /link or in the settings", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.matches("a, button, input"))).toBe(false);
  await page.goto(`${site.origin}/link`);
  await hydrated(page);
  await page.getByLabel("Move with the arrow keys of a remote control").check();
  await page.getByRole("button", { name: "Show a code" }).click();
  await page.locator(".link-code").waitFor();
  await page.reload();
  await page.locator("[data-arrows]").waitFor({ state: "attached" });
  await expectGoodPage(page, "arrows code");
  await choose(page, 'main a[href^="/signin"]');
  await page.waitForURL("**/signin**");
  await setUpHousehold(page, "arrows-settings@example.org");
  await page.goto(`${site.origin}/settings`);
  await hydrated(page);
  const mode = page.getByLabel("Arrow keys move over the page, on this screen");
  await expect.poll(() => mode.isChecked()).toBe(true);
  await mode.uncheck();
  await page.locator(":root:not([data-arrows])").waitFor({ state: "attached" });
  await page.reload();
  await hydrated(page);
  await expect.poll(() => mode.isChecked()).toBe(false);
  await context.close();
});
