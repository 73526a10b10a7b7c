import type { Page } from "playwright";
import { expect, test } from "vitest";
import { lonelyCardAt } from "#app/ui/lonely-card.ts";
import { overflow } from "#tests/support/browser/accessibility.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { addOperator, addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Where pages put their parts at each width: tables of operators on phones, grids of any number of cards, and a wide list. */

const [browser, site] = await Promise.all([openBrowser(), startSite({ RATE_LIMIT_POINTS: "5000" })]);
addSource(site, { title: 1, episode: 1, url: "/film/1/film.webm", type: "webm", label: "WebM" });
const operator = { email: "layouts@example.org", password: "Abcdef1!" };
addOperator(site, operator.email, operator.password);

async function signedIn(width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const answer = await context.request.post(`${site.origin}/api/auth/signin`, { data: operator });
  expect(answer.status()).toBe(200);
  return context.newPage();
}

const pagesWithTables = [
  "/admin",
  "/admin/users",
  "/admin/events",
  "/admin/episode?id=1&episode=1",
  "/admin/title?id=1",
  "/admin/feeds",
  "/admin/films",
  "/admin/films/programs",
  "/profile",
];

/** Runs in the page. Of each table: is its layout another one, which of its parts have another `display` and no role, do its cells fit? */
function tablesOfPage() {
  const layouts: Record<string, string> = {
    TABLE: "table",
    THEAD: "table-header-group",
    TBODY: "table-row-group",
    TR: "table-row",
    TH: "table-cell",
    TD: "table-cell",
  };
  for (const closed of document.querySelectorAll<HTMLDetailsElement>("details:has(table)"))
    closed.open = true;
  return [...document.querySelectorAll("table")].map((table) => {
    const parts = [table, ...table.querySelectorAll("thead, tbody, tr, th, td")];
    const isChanged = parts.some((part) => getComputedStyle(part).display !== layouts[part.tagName]);
    const frame = table.parentElement as Element;
    return {
      name: frame.ariaLabel ?? "",
      isChanged,
      withoutRole: isChanged ? parts.filter((part) => !part.role).map((part) => part.tagName) : [],
      sideways: isChanged ? frame.scrollWidth - frame.clientWidth : 0,
    };
  });
}

test.each([320, 390])(
  "at %i px every table that CSS turns into another layout names the roles of its parts, and fits",
  async (width) => {
    const page = await signedIn(width);
    const changed: string[] = [];
    for (const path of pagesWithTables) {
      await page.goto(site.origin + path);
      const tables = await page.evaluate(tablesOfPage);
      changed.push(...tables.filter(({ isChanged }) => isChanged).map(({ name }) => name));
      const faults = tables.filter(({ withoutRole, sideways }) => withoutRole.length > 0 || sideways > 0);
      expect({ path, faults, overflow: await overflow(page) }).toEqual({ path, faults: [], overflow: 0 });
    }
    expect(changed).toEqual(["Users", "Events", "Sources", "Addresses"]);
    await page.context().close();
  },
);

/** Runs in the page. Lays out each number of cards in frames of many widths, and returns what looks wrong. */
function faultsOfGrids(lonelyCards: string[]) {
  const grid = document.querySelector<HTMLElement>(".grid-frame > .grid") as HTMLElement;
  const frame = grid.parentElement as HTMLElement;
  const card = grid.firstElementChild as HTMLElement;
  const faults: string[] = [];
  const isNear = (one: number, other: number) => Math.abs(one - other) < 1;
  for (const [index, lonely] of lonelyCards.entries()) {
    grid.replaceChildren(...Array.from({ length: index + 1 }, () => card.cloneNode(true)));
    grid.lastElementChild?.setAttribute("data-last", "true");
    grid.dataset.lonely = lonely;
    for (let width = 280; width <= 1856; width += 24) {
      const at = `${index + 1} cards in ${width} px`;
      frame.style.width = `${width}px`;
      const cards = [...grid.children] as [Element, ...Element[]];
      const boxOf = (part: Element | null | undefined) => (part as Element).getBoundingClientRect();
      const [first, last] = [boxOf(cards[0]), boxOf(cards.at(-1))];
      const poster = boxOf(cards.at(-1)?.querySelector(".card-poster"));
      const name = boxOf(cards.at(-1)?.querySelector(".card-name"));
      const isAlone = cards.filter((one) => isNear(boxOf(one).top, last.top)).length === 1;
      const isOnlyRow = isNear(first.top, last.top);
      const fillsRow =
        isNear(last.width, width) && poster.right < name.left && isNear(poster.height, last.height);
      const facts = boxOf(cards.at(-1)?.querySelector(".card-facts"));
      if (facts.top < name.bottom - 1) faults.push(`${at}: the facts lie above the name`);
      if (isAlone && !isOnlyRow && !fillsRow) faults.push(`${at}: one is alone`);
      if (!isNear(poster.width, first.width)) faults.push(`${at}: the last poster has another size`);
      if (first.width < 90 || first.width > 320) faults.push(`${at}: a card has ${first.width} px`);
      if (grid.scrollWidth > width) faults.push(`${at}: the grid is too wide`);
    }
  }
  return faults;
}

test.each([1440, 2000])(
  "no number of cards leaves one alone in the last row, in grids of any width (in a window of %i px)",
  async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(`${site.origin}/browse`);
    const lonelyCards = Array.from({ length: 61 }, (_, index) => lonelyCardAt(index + 1));
    expect(await page.evaluate(faultsOfGrids, lonelyCards)).toEqual([]);
    await page.close();
  },
);

/** Runs in the page. The headings hang over the parts of the first row; `isAbove` says so for each of them. */
function headingsOfList() {
  const row = document.querySelector(".list-row") as Element;
  const top = row.getBoundingClientRect().top;
  const parts = ["text", "more", "dates", "form", "progress", "score"].map((part) =>
    row.querySelector(`.list-row-${part}`),
  ) as Element[];
  const lefts = parts.map(
    (part) => row.getBoundingClientRect().left + parseFloat(getComputedStyle(part, "::before").left),
  );
  return parts.map((part, index) => {
    const { content, position, lineHeight } = getComputedStyle(part, "::before");
    const box = part.getBoundingClientRect();
    const isAbove = Math.abs((lefts[index] ?? 0) - box.left) < 1 && top + parseFloat(lineHeight) <= box.top;
    return position === "absolute" ? { content, isAbove } : null;
  });
}

test("a wide list has silent headings above the columns of its first row, and no list scrolls sideways", async () => {
  const page = await signedIn(1440);
  const headings = ["Title", "Genres and tags", "Dates", "Status", "Episodes", "My score"];
  for (const animeId of [1, 5, 21, 30])
    await page.request.post(`${site.origin}/api/user/watchList`, {
      data: { animeId, type: "Watching", progress: 3, started_on: "2024-02-29", tags: ["porch"] },
    });
  for (const width of [1400, 1440, 1920, 2400]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${site.origin}/list`);
    const shown = headings.map((heading) => ({ content: `"${heading}" / ""`, isAbove: true }));
    expect({ width, headings: await page.evaluate(headingsOfList) }).toEqual({ width, headings: shown });
    expect({ width, overflow: await overflow(page) }).toEqual({ width, overflow: 0 });
  }
  for (const width of [320, 390, 959, 1399]) {
    await page.setViewportSize({ width, height: 900 });
    expect((await page.evaluate(headingsOfList)).filter(Boolean)).toEqual([]);
    expect({ width, overflow: await overflow(page) }).toEqual({ width, overflow: 0 });
  }
  await page.context().close();
});
