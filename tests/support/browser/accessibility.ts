import axe from "axe-core";
import type { Page } from "playwright";

/**
 * The serious and critical findings of axe in the page's present state, by all of its rules or only by those about
 * contrast.
 */
export async function seriousFindings(page: Page, rules: "all" | "contrast" = "all"): Promise<string[]> {
  await page.evaluate(axe.source);
  const runOnly = rules === "contrast" ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
  const { violations } = await page.evaluate(
    // biome-ignore lint/suspicious/noExplicitAny: axe.source defines this global
    (only) => (globalThis as any).axe.run(document, { ...only, resultTypes: ["violations"] }),
    runOnly,
  );
  return (violations as axe.Result[])
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 200))
          .join(" | ")}`,
    );
}

/** How many pixels the page scrolls sideways. */
export const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
