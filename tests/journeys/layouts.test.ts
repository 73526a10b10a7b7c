import { expect, test } from "vitest";
import { overflow } from "#tests/support/browser/accessibility.ts";
import { signIn } from "#tests/support/browser/accounts.ts";
import { faultsOfCardGrids } from "#tests/support/browser/card-grid.ts";
import { openWithList, signedIn } from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, titleWithBrokenSource } from "#tests/support/browser/pages.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The layout of pages at each width: operators' tables on phones, grids with any number of cards, and a wide list. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];

test("on a phone, operators' wide tables become lists", async () => {
  const { context, page, email } = await signedIn({ browser, site, script: true });
  runTool(site, "user", ["operator", email]);
  await signIn(context, site, { email, password: "Abcdef1!" });
  await page.setViewportSize({ width: 390, height: 844 });
  const lists: (string | null)[] = [];
  for (const path of [
    "/admin/users",
    "/admin/events",
    `/admin/episode?id=${titleWithBrokenSource}&episode=1`,
    "/admin/films/programs",
  ]) {
    await page.goto(site.origin + path);
    await hydrated(page);
    lists.push(
      ...(await page
        .locator("table")
        .evaluateAll((tables: HTMLTableElement[]) =>
          tables
            .filter((table) => [...table.rows].some((row) => getComputedStyle(row).display !== "table-row"))
            .map((table) => (table.parentElement as Element).ariaLabel),
        )),
    );
  }
  expect(lists).toEqual(["Users", "Events", "Videos", "Addresses"]);
});

test("every card of a listing has exactly one focusable element", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  const counts = await page
    .locator(".grid > li")
    .evaluateAll((cards) =>
      cards.map((card) => card.querySelectorAll("a, button, input, [tabindex]").length),
    );
  expect(new Set(counts)).toEqual(new Set([1]));
});

test("no number of cards leaves a lonely card in the last row, in grids of some widths", async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${site.origin}/browse`);
  await hydrated(page);
  // tests/release/card-grids.test.ts tries more widths and pages.
  expect(await faultsOfCardGrids(page, 96)).toEqual([]);
});

test("on a phone, each title of a season is a line of the whole width, also a last one without a neighbour", async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(`${site.origin}/seasons/2024/spring`);
  await hydrated(page);
  expect(await page.locator('.grid[data-lines][data-lonely~="2-wide"]').count()).toBeGreaterThan(0);
  const widths = await page
    .locator(".grid[data-lines] > li")
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().width));
  expect(new Set(widths)).toEqual(new Set([328]));
});

test("the columns of a list align in rows with and without a button to watch", async () => {
  const { page } = await openWithList({ browser, site, script: true }, "/list", [1, 900000001]);
  expect(await page.locator(".list-row").count()).toBe(2);
  expect(await page.getByRole("link", { name: /: Engawa/ }).count()).toBe(1);
  const columns = page.locator(".list-row-state");
  for (const width of [900, 1199, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const lefts = await columns.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect([width, new Set(lefts).size]).toEqual([width, 1]);
  }
});

test("no list scrolls sideways, closed or with an entry that is edited", async () => {
  const { page } = await signedIn({ browser, site, script: true });
  for (const animeId of [1, 5, 21, 30])
    await page.request.post(`${site.origin}/api/user/watchList`, {
      data: { animeId, type: "Watching", progress: 3, started_on: "2024-02-29", tags: ["porch"] },
    });
  for (const path of ["/list", "/list?edit=5", "/list?choose=1"]) {
    await page.goto(`${site.origin}${path}`);
    await hydrated(page);
    for (const width of [320, 390, 799, 1199, 1440, 2400]) {
      await page.setViewportSize({ width, height: 900 });
      const found = async () => ({ path, width, overflow: await overflow(page) });
      await expect.poll(found).toEqual({ path, width, overflow: 0 });
    }
  }
});
