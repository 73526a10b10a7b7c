import axe from "axe-core";
import type { Page } from "playwright";

/** What axe finds serious or critical in the page's present state. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    // biome-ignore lint/suspicious/noExplicitAny: axe.source defines this global
    (globalThis as any).axe.run(document, { resultTypes: ["violations"] }),
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
