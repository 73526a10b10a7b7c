import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import {
  focused,
  moveTo,
  openByArrows,
  setUpHousehold,
  testHousehold,
} from "#tests/support/watching/arrow-keys.ts";

/** The site used with arrow keys, as with a remote control. tests/release chooses that, on a phone too. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);

testHousehold({ browser, site, screen: "television" });

test("left and right go from card to card, and Down goes to the buttons of a card", async () => {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await setUpHousehold(page, site.origin, "arrows-cards@example.org");
  await openByArrows(page, site.origin, "/seasons/2024/fall");
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
  // At the end of the line, right goes to the buttons of the last card.
  const goRight = async () => {
    await page.keyboard.press("ArrowRight");
    return focused(page);
  };
  await expect.poll(goRight).toMatch(/^card-bookmark My list: /);
  expect(await focused(page)).not.toBe(bookmark);
});

test("Enter and Space on a genre include it, then exclude it, then choose any", async () => {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await openByArrows(page, site.origin, "/browse");
  await moveTo(page, 'input[name="adventure"]');
  await page.keyboard.press("Enter");
  await page.waitForURL("**/browse?genre=adventure");
  // The way back to a genre leads to its state.
  await moveTo(page, 'input[name="action"]:checked');
  await moveTo(page, 'input[name="adventure"]:checked');
  await page.keyboard.press("Space");
  await page.waitForURL("**/browse?without=adventure");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/browse");
  await moveTo(page, '.toggle input[value="movie"]');
  await page.keyboard.press("Enter");
  await page.waitForURL("**/browse?type=movie");
});

test("the focus goes to the nearest element when the focused one disappears", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await openByArrows(page, site.origin, "/seasons/2024/fall");
  await moveTo(page, ".grid li:nth-child(2) .card");
  const before = await focused(page);
  await page.evaluate(() => document.activeElement?.remove());
  await page.locator(".card:focus").waitFor();
  await expect.poll(() => focused(page)).not.toBe(before);
});

test("arrow keys scroll as usual until the mode is chosen", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.matches("a, button, input"))).toBe(false);
});
