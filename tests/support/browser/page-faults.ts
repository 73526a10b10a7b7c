import type { Page } from "playwright";
import { overflow, seriousFindings } from "#tests/support/browser/accessibility.ts";

/** Checks that every page must pass. Each check returns its faults as text, so that one visit reports all of them. */

/** A desktop, a phone, the narrowest phone, and a desktop at 400 % zoom. */
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const sizes = [desktop, phone, { width: 320, height: 568 }, { width: 320, height: 200 }];

/**
 * The rules of axe for each theme and window. Both themes have the same HTML, so only the rules about contrast run in
 * the second theme.
 */
const rules: Record<Theme, Map<object, "all" | "contrast">> = {
  dark: new Map([[desktop, "all"]]),
  light: new Map([
    [desktop, "contrast"],
    [phone, "all"],
  ]),
};

const grounds = { light: "rgb(246, 247, 249)", dark: "rgb(14, 15, 19)" };
export type Theme = keyof typeof grounds;

/** Expects the page to be open in a desktop window, and leaves it in a desktop window. */
export async function faultsOfPage(page: Page, theme: Theme): Promise<string[]> {
  const faults = [...(await headFaults(page)), ...(await groundFaults(page, theme))];
  // Both themes have the same layout.
  const hasLayout = theme === "dark";
  for (const size of sizes) {
    const wanted = rules[theme].get(size);
    if (!wanted && !hasLayout) continue;
    await page.setViewportSize(size);
    const found = wanted ? await seriousFindings(page, wanted) : [];
    if (hasLayout) found.push(...(await lasting(page, () => layoutFaults(page))));
    faults.push(...found.map((fault) => `${size.width} × ${size.height}: ${fault}`));
  }
  if (hasLayout) faults.push(...(await faultsOfLargeText(page)));
  await page.setViewportSize(desktop);
  return faults;
}

/** Text twice as large as usual, and the larger controls for remote controls. */
async function faultsOfLargeText(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const mode of ["text of 200 %", "arrow keys"])
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((isText) => {
        document.documentElement.style.fontSize = isText ? "200%" : "";
        document.documentElement.toggleAttribute("data-arrows", !isText);
      }, mode === "text of 200 %");
      const found = await lasting(page, async () => [
        ...(await layoutFaults(page)),
        ...(await page.evaluate(faultsOfTexts)),
      ]);
      faults.push(...found.map((fault) => `${width} px with ${mode}: ${fault}`));
    }
  await page.evaluate(() => document.documentElement.removeAttribute("data-arrows"));
  return faults;
}

/** Runs in the page. No text is cut in its line, and none lies beside the page where nothing scrolls to it. */
function faultsOfTexts(): string[] {
  const { clientWidth } = document.documentElement;
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    const isShown = text && element.checkVisibility() && !element.closest(".visually-hidden, .skip, svg");
    // Clipped texts are for screen readers alone.
    if (!isShown || scrolls(element) || getComputedStyle(element).clipPath !== "none") return [];
    const name = `"${element.textContent?.trim().slice(0, 40)}" (${element.className})`;
    const isCut =
      getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
    const { left, right, width } = element.getBoundingClientRect();
    const isOutside = width > 1 && (right > clientWidth + 1 || left < -1);
    return [...(isCut ? [`${name} is cut`] : []), ...(isOutside ? [`${name} lies outside`] : [])];
  });
}

/** Checks a page in a browser without scripts. */
export async function faultsWithoutScripts(page: Page): Promise<string[]> {
  return [...(await headFaults(page)), ...(await lasting(page, () => layoutFaults(page)))];
}

async function headFaults(page: Page) {
  const headings = await page.locator("h1").count();
  const title = await page.title();
  return [
    ...(headings === 1 ? [] : [`it has ${headings} first-level headings`]),
    ...(title.includes("Engawa") ? [] : [`its title is "${title}"`]),
  ];
}

export const groundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

async function groundFaults(page: Page, theme: Theme) {
  // Films play on a dark page in both themes.
  const wanted = new URL(page.url()).pathname.startsWith("/watch/") ? "dark" : theme;
  const ground = await groundOf(page);
  return ground === grounds[wanted] ? [] : [`its background is ${ground}, not the ${wanted} one`];
}

/** The faults that stay for five seconds: on a slow machine, a font or a part of the page can move others for a moment. */
async function lasting(page: Page, read: () => Promise<string[]>): Promise<string[]> {
  for (let again = 0; again < 50; again++) {
    if ((await read()).length === 0) return [];
    await page.waitForTimeout(100);
  }
  return read();
}

async function layoutFaults(page: Page) {
  const widerByPx = await overflow(page);
  return [
    ...(widerByPx === 0 ? [] : [`it scrolls sideways by ${widerByPx} px`]),
    ...(await page.evaluate(faultsOfGrids)),
    ...(await page.evaluate(faultsOfTables)),
  ];
}

/** Runs in the page. A card alone in the last row must be as wide as the row. */
function faultsOfGrids(): string[] {
  return [...document.querySelectorAll(".grid")].flatMap((grid) => {
    const boxes = [...grid.children].map((card) => card.getBoundingClientRect());
    const last = boxes.at(-1);
    if (last === undefined || boxes.length === 1) return [];
    const isAlone = boxes.filter(({ top }) => Math.abs(top - last.top) < 1).length === 1;
    const isWide = last.width > grid.clientWidth - 1;
    return isAlone && !isWide ? [`one of ${boxes.length} cards is alone in its row`] : [];
  });
}

/** Runs in the page. A table that CSS turns into another layout loses its roles unless the HTML names them, and must fit. */
function faultsOfTables(): string[] {
  const layouts: Record<string, string> = {
    TABLE: "table",
    THEAD: "table-header-group",
    TBODY: "table-row-group",
    TR: "table-row",
    TH: "table-cell",
    TD: "table-cell",
  };
  const closed = [...document.querySelectorAll<HTMLDetailsElement>("details:has(table):not([open])")];
  for (const details of closed) details.open = true;
  const faults = [...document.querySelectorAll("table")].flatMap((table) => {
    const parts = [table, ...table.querySelectorAll("thead, tbody, tr, th, td")];
    if (parts.every((part) => getComputedStyle(part).display === layouts[part.tagName])) return [];
    const frame = table.parentElement as Element;
    const name = `the table ${frame.ariaLabel}`;
    return [
      ...parts.filter((part) => !part.role).map((part) => `${name} has a ${part.tagName} without a role`),
      ...(frame.scrollWidth > frame.clientWidth ? [`${name} scrolls sideways`] : []),
    ];
  });
  const { scrollWidth, clientWidth } = document.documentElement;
  if (closed.length > 0 && scrollWidth > clientWidth) faults.push("it scrolls sideways with its tables open");
  for (const details of closed) details.open = false;
  return faults;
}

/** More tab stops than any of these pages has. A page that exceeds this number traps the focus. */
const maxStops = 400;

/** Presses Tab until the focus leaves the page. */
export async function faultsOfTabStops(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press("Tab");
    const fault = await page.evaluate(faultOfFocus, stop > 0);
    if (fault === null) return stop > 10 ? faults : [...faults, `the focus leaves it after ${stop} stops`];
    if (fault === "") continue;
    const stillFaulty = async () => [(await page.evaluate(faultOfFocus, false)) ?? ""].filter(Boolean);
    faults.push(...(await lasting(page, stillFaulty)));
  }
  return [...faults, `the focus does not leave it within ${maxStops} stops`];
}

/** Runs in the page. Returns null after the focus has left it, a fault of the focused element, or an empty text. */
function faultOfFocus(isUnderWay: boolean): string | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  // A headless browser has no bar of its own, and sometimes goes from the last element to the first at once.
  if (isUnderWay && element.matches("a.skip")) return null;
  const label = element.closest("label") ?? (element as HTMLInputElement).labels?.[0] ?? null;
  const name =
    element.getAttribute("aria-label") ??
    (element.getAttribute("aria-labelledby") || label?.textContent || element.textContent || element.title);
  const description = `${element.tagName} ${name?.trim().slice(0, 40)}`;
  if (!name?.trim()) return `${element.outerHTML.slice(0, 120)} has no name`;
  // A visually hidden element shows its focus on its label.
  const shown = element.classList.contains("visually-hidden") && label ? label : element;
  // A link that is broken into two lines has a box for each. The box around both contains other text.
  const { left, top, width, height } = shown.getClientRects()[0] ?? shown.getBoundingClientRect();
  if (width === 0 || height === 0) return `${description} is not visible`;
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 12)];
  if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) return `${description} lies outside at ${x}, ${y}`;
  const hit = document.elementFromPoint(x, y);
  return hit && (shown.contains(hit) || hit.contains(shown))
    ? ""
    : `${description} lies under ${hit?.className}`;
}
