import type { Page } from "playwright";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { patient } from "#tests/support/browser/player.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** What only a style sheet makes, and no other test would miss. */

const [browser, site] = await Promise.all([openBrowser(), startSite({ RATE_LIMIT_POINTS: "5000" })]);
const member = JSON.parse(runTool(site, "demo", ["--json"])) as { email: string; password: string };

async function openAsMember(path: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 700 } });
  await context.request.post(`${site.origin}/api/auth/signin`, { data: member });
  const page = await context.newPage();
  await page.goto(site.origin + path);
  await hydrated(page);
  return page;
}

test("the column of filters fades out where it goes on below, and its last choice can be scrolled out of the fade", async () => {
  const page = await openAsMember("/browse", 1280);
  const rail = page.locator(".filters");
  const fadeOf = () => rail.evaluate((element) => getComputedStyle(element).maskImage);
  expect(await fadeOf()).toMatch(/^linear-gradient\(.* 40px\)$/);
  const spaceBelow = await rail.evaluate((element) => {
    const shown = [...element.querySelectorAll(".filters-body *")].filter((part) => part.checkVisibility());
    element.scrollTop = element.scrollHeight;
    const lowest = Math.max(...shown.map((part) => part.getBoundingClientRect().bottom));
    return { isScrolled: element.scrollTop > 0, px: element.getBoundingClientRect().bottom - lowest };
  });
  expect(spaceBelow.isScrolled).toBe(true);
  expect(spaceBelow.px).toBeGreaterThanOrEqual(40);
  await page.setViewportSize({ width: 390, height: 700 });
  expect(await fadeOf()).toBe("none");
  await page.context().close();
});

test("the charts of My page have two columns on a wide screen and one on a phone, and no name of a genre reaches its bar", async () => {
  const page = await openAsMember("/profile", 1440);
  const columns = () =>
    page
      .locator(".charts > *")
      .evaluateAll(
        (charts) => new Set(charts.map((chart) => Math.round(chart.getBoundingClientRect().left))).size,
      );
  expect(await columns()).toBe(2);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 700 });
    const gaps = await page.locator(".chart g:has(text + rect)").evaluateAll((bars) =>
      bars.map((bar) => {
        const [name, drawn] = [bar.querySelector("text"), bar.querySelector("rect")] as [Element, Element];
        return drawn.getBoundingClientRect().left - name.getBoundingClientRect().right;
      }),
    );
    expect(gaps.length).toBeGreaterThan(0);
    expect(Math.min(...gaps)).toBeGreaterThan(0);
  }
  expect(await columns()).toBe(1);
  await page.context().close();
});

test("a circle over the cropped avatar dims what will not be shown, and a banner has none", async () => {
  const page = await openAsMember("/profile/edit", 1280);
  const circleOver = async (field: string) => {
    await page.locator(field).setInputFiles("public/icon-512.png");
    const frame = page.locator(".crop-frame");
    await expect
      .poll(() => frame.locator("canvas").evaluate((canvas) => canvas.clientHeight), patient)
      .toBeGreaterThan(50);
    const circle = await frame.evaluate((element) => {
      const { content, borderRadius, boxShadow, width, height } = getComputedStyle(element, "::after");
      const { overflow } = getComputedStyle(element);
      const covers = parseFloat(width) === element.clientWidth && parseFloat(height) === element.clientHeight;
      return content === "none"
        ? null
        : { borderRadius, covers, overflow, dims: /0px 0px 0px 999px/.test(boxShadow) };
    });
    await page.keyboard.press("Escape");
    await frame.waitFor({ state: "hidden" });
    return circle;
  };
  expect(await circleOver("#avatar")).toEqual({
    borderRadius: "50%",
    covers: true,
    overflow: "clip",
    dims: true,
  });
  expect(await circleOver("#banner")).toBe(null);
  await page.context().close();
});
