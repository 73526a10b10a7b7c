import axe from "axe-core";
import type { Page } from "playwright";

/** What axe finds serious or worse on the page as it stands. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    // biome-ignore lint/suspicious/noExplicitAny: the library has just been put into the page
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

/** How far the page can be scrolled sideways. */
export const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
