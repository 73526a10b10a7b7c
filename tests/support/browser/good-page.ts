import type { Page } from "playwright";
import { expect } from "vitest";
import { overflow, seriousFindings } from "#tests/support/browser/accessibility.ts";
import { hydrated } from "#tests/support/browser/pages.ts";

/** axe finds nothing and nothing scrolls sideways. SCREENSHOTS names a folder that gets a picture of each state. */
export async function expectGoodPage(page: Page, state: string, { hasLargeTargets = true } = {}) {
  await hydrated(page);
  expect(await seriousFindings(page), state).toEqual([]);
  await expect.poll(() => overflow(page), { message: state }).toBe(0);
  const message = `${state}: targets under 44 px`;
  if (hasLargeTargets) await expect.poll(() => smallTargets(page), { message }).toEqual([]);
  const { SCREENSHOTS: folder } = process.env;
  if (folder) await page.screenshot({ path: `${folder}/${state.replaceAll(" ", "-")}.png` });
}

const smallTargets = (page: Page) =>
  page
    .locator(
      "main :is(button, input:not([type=hidden], [type=checkbox], [type=range]), select, .button, summary):visible",
    )
    .evaluateAll((targets) =>
      targets
        .filter((target) => target.getBoundingClientRect().height < 44)
        .map((target) => target.outerHTML.slice(0, 120)),
    );
