import axe from "axe-core";
import type { Page } from "playwright";

/**
 * The serious and critical findings of axe in the page's present state, and landmarks of the same name, by all of its rules
 * or only by those about contrast.
 */
export async function seriousFindings(page: Page, rules: "all" | "contrast" = "all"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const runOnly = rules === "contrast" ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
  const { violations } = await page.evaluate(
    // biome-ignore lint/suspicious/noExplicitAny: axe.source defines this global
    (only) => (globalThis as any).axe.run(document, { ...only, resultTypes: ["violations"] }),
    runOnly,
  );
  return (violations as axe.Result[])
    .filter(({ id, impact }) => impact === "serious" || impact === "critical" || id === "landmark-unique")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 200))
          .join(" | ")}`,
    );
}

/**
 * The findings in both themes of a page that follows its device. Both have the same HTML, so only the rules about
 * contrast run a second time. Leaves the page in the dark theme.
 */
export async function findingsOfBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await seriousFindings(page, "contrast");
  await page.emulateMedia({ colorScheme: "dark" });
  return [...light, ...(await seriousFindings(page))];
}

/** How many pixels the page scrolls sideways. */
export const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
