import type { Page } from "playwright";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { brokenPictures, filmPage, hydrated, titleWithEveryEpisode } from "#tests/support/browser/pages.ts";
import { themeVisits } from "#tests/support/browser/visits.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The contrast of text over a picture, which axe leaves out. */

const [browser, site] = [await openBrowser({ isOwnClient: true }), sharedSite()];
const visitor = themeVisits(browser, site);

const pages = ["/", filmPage, brokenPictures, `/anime/${titleWithEveryEpisode}/planetes`, "/watch/1/26"];
const texts =
  ".kicker, .hero-title, .title-other, .hero .facts > li, .hero-text, .watch-stage-heading, .watch-stage-text > p";

test.each([
  ["dark", "white"],
  ["light", "black"],
])("text of the %s theme is readable on a %s picture", async (theme, color) => {
  const picture = await plainPng(160, 229, color);
  const found: string[] = [];
  for (const viewport of [
    { width: 360, height: 1200 },
    { width: 1280, height: 1200 },
  ]) {
    const page = await visitor(theme, { viewport, reducedMotion: "reduce" });
    await page.route("**/*", (route) =>
      route.request().resourceType() === "image"
        ? route.fulfill({ body: picture, contentType: "image/png" })
        : route.fallback(),
    );
    for (const path of pages) {
      await page.goto(site.origin + path);
      await hydrated(page);
      const measured = await contrasts(page);
      expect(measured, path).not.toEqual([]);
      for (const { text, ratio } of measured)
        if (ratio < 4.5) found.push(`${path} at ${viewport.width} px: ${text} ${ratio.toFixed(1)}`);
    }
    await page.context().close();
  }
  expect(found).toEqual([]);
});

/** The least contrast of each text with the pixels behind it. */
async function contrasts(page: Page) {
  const boxes = await page.evaluate(async (selector) => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>(".hero-backdrop img")];
    await Promise.all(pictures.map((picture) => picture.decode()));
    const shown = [...document.querySelectorAll<HTMLElement>(selector)].filter((one) =>
      one.checkVisibility(),
    );
    const measured = shown.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const [text, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
      return {
        text: one.textContent.slice(0, 30),
        color: getComputedStyle(one).color,
        left: Math.max(text.left, box.left),
        right: Math.min(text.right, box.right),
        top: Math.max(text.top, box.top),
        bottom: Math.min(text.bottom, box.bottom),
      };
    });
    for (const one of shown) one.style.visibility = "hidden";
    return measured;
  }, texts);
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixelAt = (x: number, y: number) => {
    const [column, row] = [Math.min(info.width - 1, Math.round(x)), Math.min(info.height - 1, Math.round(y))];
    const at = 3 * (row * info.width + column);
    return [...data.subarray(at, at + 3)];
  };
  const steps = Array.from({ length: 11 }, (_, index) => index / 10);
  return boxes.map(({ text, color, left, right, top, bottom }) => {
    const own = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    const ratios = steps.flatMap((x) =>
      steps.map((y) => contrast(own, pixelAt(left + x * (right - left), top + y * (bottom - top)))),
    );
    return { text, ratio: Math.min(...ratios) };
  });
}

/** WCAG 2.2 contrast ratio. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort(
    (first, second) => first - second,
  );
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(rgb: readonly number[]): number {
  const linear = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => sum + weight * (linear[index] ?? 0), 0);
}
