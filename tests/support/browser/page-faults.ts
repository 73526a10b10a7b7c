import type { Page } from "playwright";
import { overflow, seriousFindings } from "#tests/support/browser/accessibility.ts";
import { hydrated } from "#tests/support/browser/pages.ts";

/** Checks that every page must pass. Each check returns its faults as text, so that one visit reports all of them. */

/** A desktop, a phone, the narrowest phone, and a desktop at 400 % zoom. */
type Size = { width: number; height: number };
const desktop: Size = { width: 1280, height: 800 };
const phone: Size = { width: 390, height: 844 };
const sizes: Size[] = [desktop, phone, { width: 320, height: 568 }, { width: 320, height: 200 }];

/** The background of a page in each theme. */
export const grounds = { light: "rgb(246, 247, 249)", dark: "rgb(14, 15, 19)" };
type Theme = keyof typeof grounds;

/**
 * Expects the page to be open in a desktop window with the theme "system" on a dark device, and leaves it so. Both themes
 * have the same HTML and the same layout, so in the light theme only the ground and axe are checked: the rules about
 * contrast on a phone, or if `isWhole` those on a desktop and all rules on a phone.
 */
export async function faultsOfPage(page: Page, { isWhole }: { isWhole: boolean }): Promise<string[]> {
  const faults = [
    ...(await headFaults(page)),
    ...(await groundFaults(page, "dark")),
    ...(await findings(page, "dark", desktop, "all")),
  ];
  await page.emulateMedia({ colorScheme: "light" });
  faults.push(...(await groundFaults(page, "light")));
  if (isWhole) faults.push(...(await findings(page, "light", desktop, "contrast")));
  await page.setViewportSize(phone);
  faults.push(...(await findings(page, "light", phone, isWhole ? "all" : "contrast")));
  await page.emulateMedia({ colorScheme: "dark" });
  for (const size of sizes) {
    await page.setViewportSize(size);
    const found = await lasting(page, () => layoutFaults(page));
    faults.push(...found.map((fault) => `${size.width} × ${size.height}: ${fault}`));
  }
  faults.push(...(await faultsOfLargeText(page, isWhole)));
  await page.setViewportSize(desktop);
  return faults;
}

async function findings(page: Page, theme: Theme, { width, height }: Size, rules: "all" | "contrast") {
  const found = await seriousFindings(page, rules);
  return found.map((fault) => `${theme}, ${width} × ${height}: ${fault}`);
}

/** Text twice as large as usual, and the larger controls for remote controls. */
async function faultsOfLargeText(page: Page, isWhole: boolean): Promise<string[]> {
  const faults: string[] = [];
  for (const [mode, widths] of [
    ["text of 200 %", isWhole ? [390, 768, 1440] : [390, 1440]],
    // Screens with a remote control are wide.
    ["arrow keys", isWhole ? [960, 1440] : [960]],
  ] as const)
    for (const width of widths) {
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

/** How many times Tab is pressed before the test reads what the page has noted. */
const pressesAtOnce = 25;

/** Presses Tab until the focus leaves the page. */
export async function faultsOfTabStops(page: Page): Promise<string[]> {
  const faults = await faultsOfQuickTabStops(page);
  if (faults.length === 0) return [];
  // Something can cover a stop for a moment. Going through the stops slowly, only faults that stay count.
  await page.reload();
  await hydrated(page);
  return faultsOfSlowTabStops(page);
}

/** Asks nothing between two stops: the page itself looks at each one when Tab is pressed the next time. */
async function faultsOfQuickTabStops(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const press = (type: "rawKeyDown" | "keyUp") =>
    session.send("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
  await page.evaluate(`(${noteTabStops})(${faultOfFocus})`);
  let noted: NotedStops = { stops: 0, hasLeft: false, faults: [] };
  while (!noted.hasLeft && noted.stops < maxStops) {
    await Promise.all(
      Array.from({ length: pressesAtOnce }, () => [press("rawKeyDown"), press("keyUp")]).flat(),
    );
    noted = await page.evaluate(() => (globalThis as unknown as { notedStops: NotedStops }).notedStops);
  }
  await session.detach();
  if (!noted.hasLeft) return [...noted.faults, `the focus does not leave it within ${maxStops} stops`];
  return noted.stops > 10
    ? noted.faults
    : [...noted.faults, `the focus leaves it after ${noted.stops} stops`];
}

type NotedStops = { stops: number; hasLeft: boolean; faults: string[] };

/** Runs in the page, and notes every stop in `notedStops` of its window. */
function noteTabStops(faultOf: typeof faultOfFocus) {
  const noted: NotedStops = { stops: 0, hasLeft: false, faults: [] };
  Object.assign(globalThis, { notedStops: noted });
  let presses = 0;
  const look = (event: KeyboardEvent) => {
    if (event.key !== "Tab") return;
    presses += 1;
    if (presses === 1) return;
    const fault = noted.hasLeft ? null : faultOf(noted.stops > 0);
    if (fault !== null) {
      noted.stops += 1;
      if (fault !== "") noted.faults.push(fault);
      return;
    }
    noted.hasLeft = true;
    event.preventDefault();
  };
  addEventListener("keydown", look, { capture: true });
}

async function faultsOfSlowTabStops(page: Page): Promise<string[]> {
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
